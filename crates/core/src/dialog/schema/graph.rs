//! The parts of a schema, and which of them a value meets: all references are resolved.

use std::collections::HashMap;

use referencing::{Draft, Error, Registry, RegistryBuilder, Resolver, uri};
use serde_json::Value;

use super::{Allowance, NOT_IN_IT, pattern::Pattern};

/// How many resources may refer to each other in a row.
const MOST_RESOURCES: usize = 20;
/// Where a schema is that does not say it.
const NOWHERE: &str = "json-schema:///";

pub(super) type Id = usize;

/// Something that is applied to the same value.
#[derive(Clone, Copy)]
pub(super) struct Beside {
    pub(super) part: Id,
    /// Whether it fits is only tried, and what is wrong is looked for once more.
    pub(super) tried: bool,
}

#[derive(Default)]
pub(super) struct Part {
    /// The steps that it takes without its parts.
    pub(super) own: u32,
    /// The weights of the patterns that a text has to match.
    pub(super) patterns: u32,
    /// Those of the patterns that the names of members may match.
    pub(super) name_patterns: u32,
    /// Whether one of them may give up.
    pub(super) backtracks: bool,
    /// Whether all items of a list are compared with each other.
    pub(super) unique: bool,
    pub(super) beside: Vec<Beside>,
    /// For members by their names.
    pub(super) named: HashMap<String, Id>,
    /// For all other members.
    pub(super) unnamed: Vec<Id>,
    /// For every member, whatever its name.
    pub(super) members: Vec<Id>,
    /// For the names themselves.
    pub(super) names: Vec<Id>,
    /// For items by their places.
    pub(super) placed: Vec<Id>,
    /// For all items after those.
    pub(super) rest: Vec<Id>,
    /// For every item.
    pub(super) items: Vec<Id>,
    /// For what no other part has looked at, which takes a second look at all that is beside it.
    pub(super) leftover: Vec<Id>,
}

/// All parts that the schema leads to; it is the first itself.
pub(super) fn parts(schema: &Value, allowance: &mut Allowance) -> Result<Vec<Part>, String> {
    let draft = Draft::default().detect(schema);
    let resource = draft.create_resource_ref(schema);
    let at = resource.id().unwrap_or(NOWHERE).trim_end_matches('#');
    let registry =
        Registry::new().draft(draft).add(at, resource).and_then(RegistryBuilder::prepare);
    let registry = registry.map_err(|error| why(&error))?;
    let resolver = registry.resolver(uri::from_str(at).map_err(|error| why(&error))?);
    let mut builder =
        Builder { parts: Vec::new(), known: HashMap::new(), left: Vec::new(), allowance };
    builder.add(Place { schema, resolver, draft })?;
    while let Some((id, place)) = builder.left.pop() {
        builder.parts[id] = builder.part(&place)?;
    }
    Ok(builder.parts)
}

fn why(error: &Error) -> String {
    match error {
        Error::InvalidUri(_) => error.to_string(),
        _ => NOT_IN_IT.into(),
    }
}

/// A part of the schema, and where references from there lead.
#[derive(Clone)]
struct Place<'r> {
    schema: &'r Value,
    resolver: Resolver<'r>,
    draft: Draft,
}

impl<'r> Place<'r> {
    fn at(&self, schema: &'r Value) -> Result<Self, String> {
        let draft = self.draft.detect(schema);
        let resource = draft.create_resource_ref(schema);
        let resolver = self.resolver.in_subresource(resource).map_err(|error| why(&error))?;
        Ok(Self { schema, resolver, draft })
    }

    fn referred(&self, keyword: &str, reference: &str) -> Result<Self, String> {
        let found = match keyword {
            "$recursiveRef" => self.resolver.lookup_recursive_ref(),
            _ => self.resolver.lookup(reference),
        };
        let (schema, resolver, draft) = found.map_err(|error| why(&error))?.into_inner();
        Ok(Self { schema, resolver, draft })
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self.schema) as usize
    }

    /// What decides where dynamic references lead: the resources on the way here, each once.
    fn scope(&self) -> Result<Vec<String>, String> {
        let base = self.resolver.base_uri();
        let mut scope = vec![base.as_str().to_owned()];
        for uri in &self.resolver.dynamic_scope() {
            if !scope.iter().any(|known| known == uri.as_str()) {
                scope.push(uri.as_str().to_owned());
            }
            if scope.len() > MOST_RESOURCES {
                return Err(format!(
                    "more than {MOST_RESOURCES} of its resources refer to each other in a row"
                ));
            }
        }
        Ok(scope)
    }
}

struct Builder<'a, 'r> {
    parts: Vec<Part>,
    known: HashMap<(usize, Vec<String>), Id>,
    /// Those that are not built yet.
    left: Vec<(Id, Place<'r>)>,
    allowance: &'a mut Allowance,
}

impl<'r> Builder<'_, 'r> {
    fn add(&mut self, place: Place<'r>) -> Result<Id, String> {
        let key = (place.address(), place.scope()?);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        self.allowance.take_part()?;
        let id = self.parts.len();
        self.parts.push(Part::default());
        self.known.insert(key, id);
        self.left.push((id, place));
        Ok(id)
    }

    fn part(&mut self, place: &Place<'r>) -> Result<Part, String> {
        let Value::Object(keywords) = place.schema else {
            return Ok(Part { own: 1, ..Part::default() });
        };
        let mut part = Part { own: small(1 + keywords.len()), ..Part::default() };
        // Up to draft 7 nothing counts beside a reference.
        let alone = matches!(place.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
            && keywords.contains_key("$ref");
        for (keyword, value) in keywords {
            if !alone || keyword == "$ref" {
                self.keyword(place, &mut part, keyword, value)?;
            }
        }
        Ok(part)
    }

    fn keyword(
        &mut self,
        place: &Place<'r>,
        part: &mut Part,
        keyword: &str,
        value: &'r Value,
    ) -> Result<(), String> {
        let mut add = |schema: &'r Value| self.add(place.at(schema)?);
        match (keyword, value) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                let target = self.add(place.referred(keyword, reference)?)?;
                part.beside.push(Beside { part: target, tried: false });
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                let tried = keyword != "allOf";
                for schema in schemas {
                    part.beside.push(Beside { part: add(schema)?, tried });
                }
            }
            ("not" | "if", schema) => part.beside.push(Beside { part: add(schema)?, tried: true }),
            ("then" | "else", schema) => {
                part.beside.push(Beside { part: add(schema)?, tried: false });
            }
            ("dependentSchemas" | "dependencies", Value::Object(schemas)) => {
                part.own = part.own.saturating_add(small(size(value)));
                for schema in schemas.values().filter(|it| !it.is_array()) {
                    part.beside.push(Beside { part: add(schema)?, tried: false });
                }
            }
            ("properties", Value::Object(schemas)) => {
                part.own = part.own.saturating_add(small(schemas.len()));
                for (name, schema) in schemas {
                    part.named.insert(name.clone(), add(schema)?);
                }
            }
            ("patternProperties", Value::Object(schemas)) => {
                for (pattern, schema) in schemas {
                    part.members.push(self.add(place.at(schema)?)?);
                    let Pattern { weight, backtracks } = self.allowance.pattern(pattern);
                    part.name_patterns += weight;
                    part.backtracks |= backtracks;
                }
            }
            ("additionalProperties", schema) => part.unnamed.push(add(schema)?),
            ("propertyNames", schema) => part.names.push(add(schema)?),
            ("prefixItems" | "items", Value::Array(schemas)) => {
                for schema in schemas {
                    part.placed.push(add(schema)?);
                }
            }
            ("items", schema) if is_after_placed(place) => part.rest.push(add(schema)?),
            ("items" | "additionalItems" | "contains", schema) => part.items.push(add(schema)?),
            ("unevaluatedProperties" | "unevaluatedItems", schema) => {
                part.leftover.push(add(schema)?);
            }
            ("uniqueItems", Value::Bool(true)) => part.unique = true,
            ("pattern", Value::String(pattern)) => {
                let Pattern { weight, backtracks } = self.allowance.pattern(pattern);
                part.patterns += weight;
                part.backtracks |= backtracks;
            }
            ("enum" | "const" | "required" | "dependentRequired", value) => {
                part.own = part.own.saturating_add(small(size(value)));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether `items` is for the items after those of `prefixItems`, which older drafts do not know.
fn is_after_placed(place: &Place) -> bool {
    matches!(place.draft, Draft::Draft202012 | Draft::Unknown)
}

/// How many values it is made of.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn small(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}
