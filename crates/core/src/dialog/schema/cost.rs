//! Counts the steps of a check before it is made, as the checker would take them.

use serde_json::{Map, Value};

use super::{
    Allowance, Budget,
    graph::{self, Beside, Id, Part},
};

/// The most steps for one value, without what is in it.
const MOST_STEPS: u32 = 50_000;
/// How many parts may be applied within each other, to a value and to what is in it.
const DEEPEST: usize = 250;
/// How many of these to the same value.
const DEEPEST_BESIDE: usize = 100;
/// A byte takes so many with a small pattern, if that is made to be slow.
const STEPS_A_BYTE: u32 = 4;
/// So many bytes are copied in about the time of a step.
const COPIED_A_STEP: usize = 256;
/// Items of a short list are compared each with each.
const COMPARED: u32 = 16;
/// A second look is prepared for each part that takes one, whatever it shares with others.
const MOST_LOOKS: u64 = 100_000;
/// A check is begun anew so often, once a pattern has given up.
const MOST_TRIES: u32 = 64;

pub(super) struct Cost {
    parts: Vec<Part>,
    /// How much more a step takes where patterns may give up.
    factor: u32,
}

impl Cost {
    /// Refuses what takes too long whatever the value is.
    pub(super) fn of(schema: &Value, allowance: &mut Allowance) -> Result<Self, String> {
        let parts = graph::parts(schema, allowance)?;
        let factor = if parts.iter().any(|part| part.backtracks) { MOST_TRIES } else { 1 };
        let cost = Self { parts, factor };
        cost.is_usable()?;
        Ok(cost)
    }

    pub(super) fn is_within(&self, budget: &mut Budget, value: &Value) -> bool {
        let mut walk = Walk { cost: self, budget };
        walk.apply(0, value, Spot::default()).is_some()
    }

    fn is_usable(&self) -> Result<(), String> {
        let mut weights =
            Weights { parts: &self.parts, known: vec![Weight::Unknown; self.parts.len()] };
        let mut all_looks = 0_u64;
        for (id, part) in self.parts.iter().enumerate() {
            let (steps, looks) = weights.of(id, 0)?;
            if steps.saturating_mul(self.factor.into()) > u64::from(MOST_STEPS) {
                return Err(format!(
                    "it takes more than {} steps to check one value",
                    MOST_STEPS / self.factor
                ));
            }
            if !part.leftover.is_empty() {
                all_looks = all_looks.saturating_add(looks);
            }
        }
        if all_looks > MOST_LOOKS {
            return Err(format!(
                "its `unevaluatedProperties` and `unevaluatedItems` take more than {MOST_LOOKS} steps to prepare"
            ));
        }
        Ok(())
    }
}

/// What the parts cost that are applied to the same value, each counted once.
struct Weights<'a> {
    parts: &'a [Part],
    known: Vec<Weight>,
}

#[derive(Clone, Copy)]
enum Weight {
    Unknown,
    Begun,
    /// The steps of a check, and those of the second look.
    Known(u64, u64),
}

impl Weights<'_> {
    fn of(&mut self, part: Id, depth: usize) -> Result<(u64, u64), String> {
        match self.known[part] {
            Weight::Known(steps, looks) => return Ok((steps, looks)),
            Weight::Begun => return Err("it refers to itself without end".into()),
            Weight::Unknown if depth > DEEPEST_BESIDE => {
                return Err(format!(
                    "more than {DEEPEST_BESIDE} of its parts are applied within each other to one value"
                ));
            }
            Weight::Unknown => {}
        }
        self.known[part] = Weight::Begun;
        let parts = self.parts;
        let Part { own, beside, leftover, .. } = &parts[part];
        let (mut steps, mut looks) = (u64::from(*own), 1_u64);
        for Beside { part, .. } in beside {
            let (its_steps, its_looks) = self.of(*part, depth + 1)?;
            steps = steps.saturating_add(its_steps);
            looks = looks.saturating_add(its_steps).saturating_add(its_looks);
        }
        if !leftover.is_empty() {
            steps = steps.saturating_add(looks);
        }
        self.known[part] = Weight::Known(steps, looks);
        Ok((steps, looks))
    }
}

/// Where a walk is.
#[derive(Clone, Copy, Default)]
struct Spot {
    depth: usize,
    /// How long the path to the value is.
    path: usize,
    /// How often the same is looked at again to say what is wrong.
    tries: u32,
}

impl Spot {
    fn beside(self, tried: bool) -> Self {
        Self { depth: self.depth + 1, tries: self.tries + u32::from(tried), ..self }
    }

    fn below(self, name: usize) -> Self {
        Self { depth: self.depth + 1, path: self.path + name + 1, ..self }
    }
}

struct Walk<'a> {
    cost: &'a Cost,
    budget: &'a mut Budget,
}

/// Nothing once it is too much.
impl<'a> Walk<'a> {
    fn apply(&mut self, id: Id, value: &Value, spot: Spot) -> Option<()> {
        let cost = self.cost;
        let part = &cost.parts[id];
        self.spend(part.own, spot)?;
        for Beside { part, tried } in &part.beside {
            self.apply(*part, value, spot.beside(*tried))?;
        }
        match value {
            Value::Object(members) => self.members(part, members, spot)?,
            Value::Array(items) => self.items(part, items, spot)?,
            Value::String(text) => self.text(part.patterns, text, spot)?,
            _ => {}
        }
        if part.leftover.is_empty() { Some(()) } else { self.look(part, value, spot) }
    }

    fn members(&mut self, part: &'a Part, members: &Map<String, Value>, spot: Spot) -> Option<()> {
        for (name, value) in members {
            let below = spot.below(name.len());
            self.spend(1, below)?;
            self.text(part.name_patterns, name, spot)?;
            if let Some(named) = part.named.get(name) {
                self.apply(*named, value, below)?;
            } else {
                self.apply_all(&part.unnamed, value, below)?;
            }
            self.apply_all(&part.members, value, below)?;
            if !part.names.is_empty() {
                self.apply_all(&part.names, &Value::from(name.as_str()), below)?;
            }
        }
        Some(())
    }

    fn items(&mut self, part: &'a Part, items: &[Value], spot: Spot) -> Option<()> {
        if part.unique {
            items.iter().try_for_each(|item| self.compare(item, spot))?;
        }
        let below = spot.below(1);
        for (place, item) in items.iter().enumerate() {
            self.spend(1, below)?;
            match part.placed.get(place) {
                Some(placed) => self.apply(*placed, item, below)?,
                None => self.apply_all(&part.rest, item, below)?,
            }
            self.apply_all(&part.items, item, below)?;
        }
        Some(())
    }

    fn apply_all(&mut self, parts: &[Id], value: &Value, spot: Spot) -> Option<()> {
        parts.iter().try_for_each(|part| self.apply(*part, value, spot))
    }

    /// Looks for what no part has looked at, and applies what is for that.
    fn look(&mut self, part: &'a Part, value: &Value, spot: Spot) -> Option<()> {
        self.spend(1, spot)?;
        for Beside { part, .. } in &part.beside {
            self.apply(*part, value, spot.beside(true))?;
            self.look(&self.cost.parts[*part], value, spot.beside(true))?;
        }
        let below = spot.below(1);
        match value {
            Value::Object(members) => members.iter().try_for_each(|(name, value)| {
                self.text(part.name_patterns, name, spot)?;
                self.spend(1, below)?;
                self.apply_all(&part.leftover, value, below)
            }),
            Value::Array(items) => items.iter().try_for_each(|item| {
                self.spend(1, below)?;
                self.apply_all(&part.leftover, item, below)?;
                // Whether it contains something is asked again of each.
                self.apply_all(&part.items, item, below)
            }),
            _ => Some(()),
        }
    }

    fn text(&mut self, patterns: u32, text: &str, spot: Spot) -> Option<()> {
        let matched = steps(text.len(), 1).saturating_mul(patterns.saturating_mul(STEPS_A_BYTE));
        self.spend(steps(text.len(), COPIED_A_STEP).saturating_add(matched), spot)
    }

    fn compare(&mut self, value: &Value, spot: Spot) -> Option<()> {
        self.spend(COMPARED, spot)?;
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.compare(item, spot)),
            Value::Object(members) => {
                members.values().try_for_each(|value| self.compare(value, spot))
            }
            Value::String(text) => self.spend(steps(text.len(), COPIED_A_STEP), spot),
            _ => Some(()),
        }
    }

    fn spend(&mut self, some: u32, spot: Spot) -> Option<()> {
        let path = steps(spot.path, COPIED_A_STEP);
        let again = self.cost.factor.saturating_mul(1 + spot.tries);
        let all = some.saturating_add(path).saturating_mul(again);
        (spot.depth <= DEEPEST && self.budget.spend(all)).then_some(())
    }
}

fn steps(size: usize, a_step: usize) -> u32 {
    u32::try_from(size / a_step).unwrap_or(u32::MAX)
}
