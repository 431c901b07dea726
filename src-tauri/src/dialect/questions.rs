//! The list of questions as Claude Code writes it, which several agents took over: question,
//! header, options with label and description, multiSelect. They differ in what may be absent.

use super::fields::{Field, Fields};
use crate::{
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
};

/// How a dialect takes the list.
pub(super) struct Style {
    pub(super) description: Need,
    pub(super) multi_select: Need,
    /// Whether options may have a preview.
    pub(super) previews: bool,
    /// Whether the answer can carry a note.
    pub(super) notes: bool,
    /// The header's length over which the sender is advised; no limit.
    pub(super) short_header: usize,
}

/// What an absent field is to a dialect.
#[derive(Clone, Copy)]
pub(super) enum Need {
    Must,
    Should,
    May,
}

impl Need {
    fn of<'a>(
        self,
        fields: &Fields<'a>,
        name: &'static str,
        expected: &'static str,
    ) -> Option<Field<'a>> {
        match self {
            Self::Must => return fields.need(name, expected),
            Self::Should if fields.get(name).is_none() => {
                fields.findings.advise(fields.at(name), Fault::Missing { expected });
            }
            Self::Should | Self::May => {}
        }
        fields.get(name)
    }
}

/// A format that demands every field.
pub(super) const STRICT: Style = Style {
    description: Need::Must,
    multi_select: Need::Must,
    previews: false,
    notes: false,
    // Longer ones are refused by the rules.
    short_header: usize::MAX,
};

/// Puts the questions into the payload; `None` is a list that is already among the problems.
pub(super) fn read(payload: &mut Payload, list: Option<Field>, style: &Style) {
    let Some(list) = list else { return };
    let at = list.at.clone();
    let Some(items) = list.list() else { return };
    payload.questions_at = Some(at);
    payload.question_count = items.len();
    payload.questions =
        items.into_iter().filter_map(|item| Some(question(&item.object()?, style))).collect();
}

fn question(fields: &Fields, style: &Style) -> PayloadQuestion {
    let text = fields.need_text("question");
    let header = fields.need_text("header");
    if let Some(found) = header.as_ref().map(|header| header.chars().count())
        && found > style.short_header
    {
        let fault = Fault::Length { found, allowed: 0..=style.short_header };
        fields.findings.advise(fields.at("header"), fault);
    }
    let multi = style.multi_select.of(fields, "multiSelect", "true or false").and_then(Field::flag);
    let list = fields.need("options", "a list").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let list = list.unwrap_or_default();
    let option_count = list.len();
    let options =
        list.into_iter().filter_map(|item| Some(option(&item.object()?, style))).collect();
    fields.advise_unknown();
    PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header,
        text,
        text_at: fields.at("question"),
        details: None,
        kind: PayloadKind::Choice {
            options,
            options_at,
            option_count,
            multi: multi.unwrap_or(false),
            other: true,
            default: None,
        },
        required: true,
        notes: style.notes,
        schema: None,
        schema_at: String::new(),
    }
}

fn option(fields: &Fields, style: &Style) -> PayloadOption {
    let option = PayloadOption {
        label: fields.need_text("label"),
        label_at: fields.at("label"),
        description: style.description.of(fields, "description", "a text").and_then(Field::text),
        description_at: fields.at("description"),
        preview: if style.previews { fields.text("preview") } else { None },
        value: None,
        recommended: false,
    };
    fields.advise_unknown();
    option
}
