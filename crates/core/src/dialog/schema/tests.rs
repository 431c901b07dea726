use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use jsonschema::{Keyword, ValidationError};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Allowance, Budget, Schema, Unfit, cost::Cost};
use crate::panics::guarded;

/// Definitions of which each has the one before it twice: a few KB, and a check takes 2 to their
/// number steps.
fn doubling(levels: usize, twice: impl Fn(Value) -> Value) -> Value {
    let mut parts = Map::from_iter([("a0".to_owned(), json!({ "type": "string" }))]);
    for level in 1..levels {
        let before = json!({ "$ref": format!("#/$defs/a{}", level - 1) });
        parts.insert(format!("a{level}"), twice(before));
    }
    json!({ "$ref": format!("#/$defs/a{}", levels - 1), "$defs": parts })
}

fn compile(schema: &Value) -> Result<Schema, String> {
    Schema::new(schema, &mut Allowance::default())
}

fn refused(schema: &Value) -> String {
    compile(schema).expect_err("it is refused")
}

#[track_caller]
fn accepted(schema: &Value, fitting: &Value) {
    let schema = compile(schema).unwrap_or_else(|why| panic!("{why}: {schema}"));
    assert!(schema.check(fitting, &mut Budget::default()).is_ok(), "{fitting}");
}

#[test]
fn schema_bomb_is_refused_before_it_is_compiled() {
    let steps = "it takes more than 50000 steps to check one value";
    for (name, twice) in [
        ("allOf", (|it| json!({ "allOf": [it, it] })) as fn(Value) -> Value),
        ("anyOf", |it| json!({ "anyOf": [it, it] })),
        ("oneOf", |it| json!({ "oneOf": [it, it, it] })),
        ("not", |it| json!({ "not": it, "allOf": [it] })),
        ("if", |it| json!({ "if": it, "then": it, "else": it })),
        ("dependentSchemas", |it| json!({ "dependentSchemas": { "a": it, "b": it } })),
        ("unevaluatedProperties", |it| json!({ "allOf": [it], "unevaluatedProperties": false })),
        ("unevaluatedItems", |it| json!({ "allOf": [it], "unevaluatedItems": false })),
    ] {
        assert_eq!(refused(&doubling(40, twice)), steps, "{name}");
    }
    let anchors = json!({ "$ref": "#a", "$defs": {
        "a": { "$anchor": "a", "allOf": vec![json!({ "$ref": "#b" }); 300] },
        "b": { "$dynamicAnchor": "b", "allOf": vec![json!({ "$dynamicRef": "#c" }); 300] },
        "c": { "$dynamicAnchor": "c", "type": "string" },
    }});
    assert_eq!(refused(&anchors), steps);
    let values: Vec<_> = (0..15_000).collect();
    let costly = json!({ "allOf": vec![json!({ "$ref": "#/$defs/a" }); 4], "$defs": { "a": { "enum": values } } });
    assert_eq!(refused(&costly), steps);
}

#[test]
fn what_leads_nowhere_is_refused() {
    let endless = "it refers to itself without end";
    assert_eq!(refused(&json!({ "allOf": [{ "$ref": "#" }] })), endless);
    let round = json!({ "$ref": "#/$defs/a", "$defs": {
        "a": { "anyOf": [{ "$ref": "#/$defs/b" }] }, "b": { "not": { "$ref": "#/$defs/a" } },
    }});
    assert_eq!(refused(&round), endless);
    let elsewhere = json!({ "$ref": "https://a.example/schema" });
    assert_eq!(refused(&elsewhere), super::NOT_IN_IT);
    assert_eq!(refused(&json!({ "$ref": "#/$defs/a" })), super::NOT_IN_IT);
}

#[test]
fn what_is_too_large_is_refused() {
    let told = |schema: &Value, start: &str| {
        let why = refused(schema);
        assert!(why.starts_with(start), "{why}");
    };
    let beside: Map<_, _> = (0..6_000)
        .map(|n| (format!("a{n}"), json!({ "$ref": format!("#/$defs/a{}", n + 1) })))
        .chain([("a6000".to_owned(), json!({}))])
        .collect();
    told(&json!({ "$ref": "#/$defs/a0", "$defs": beside }), "more than 100 of its parts");
    told(&json!({ "enum": (0..20_000).collect::<Vec<_>>() }), "more than 20000 values");
    told(&json!({ "pattern": "a".repeat(1_001) }), "a `pattern` of 1001 bytes");
    told(&json!({ "$ref": "#/".repeat(1_001) }), "a `$ref` of 2002 bytes");
    let patterns: Map<_, _> = (0..1_201).map(|n| (format!("^{n}"), json!(true))).collect();
    told(&json!({ "patternProperties": patterns }), "more than 1200 patterns");
    // Each takes as long to be found too large as the largest that can be used.
    let unusable: Map<_, _> =
        (0..1_200).map(|n| (format!("((\\w{{900}}){{900}}){n}"), json!(true))).collect();
    told(&json!({ "patternProperties": unusable }), "more than 1200 patterns");
    let long = Map::from_iter([("a".repeat(500_000), json!({ "allOf": vec![json!({}); 100] }))]);
    told(&json!({ "properties": long }), "its names are too long");
    let nested = (0..70).fold(json!({}), |inner, _| json!({ "not": inner }));
    told(&nested, "more than 64 of its values");
    // The first would make the engine of patterns panic.
    for pattern in ["^.{0,404600}$", "(((a{1000}){1000}){1000})"] {
        told(&json!({ "pattern": pattern }), "the pattern");
    }
}

/// Resources that lead to each other have other scopes on every way.
#[test]
fn resources_with_more_ways_than_parts_are_refused() {
    let mut parts = Map::new();
    for level in 0..18 {
        for side in ["l", "r"] {
            let next = |side| json!({ "$ref": format!("https://a.example/{side}{}", level + 1) });
            let part = json!({ "$id": format!("https://a.example/{side}{level}"), "properties": { "l": next("l"), "r": next("r") } });
            parts.insert(format!("{side}{level}"), part);
        }
    }
    for side in ["l", "r"] {
        parts.insert(format!("{side}18"), json!({ "$id": format!("https://a.example/{side}18") }));
    }
    let schema =
        json!({ "$id": "https://a.example/", "$ref": "https://a.example/l0", "$defs": parts });
    assert_eq!(refused(&schema), "its references lead to more than 20000 parts");
}

#[test]
fn the_schemas_of_a_payload_are_counted_together() {
    let mut allowance = Allowance::default();
    let schema = json!({ "enum": (0..9_000).collect::<Vec<_>>() });
    assert!(Schema::new(&schema, &mut allowance).is_ok());
    assert!(Schema::new(&schema, &mut allowance).is_ok());
    assert!(Schema::new(&schema, &mut allowance).is_err());
}

#[test]
fn schemas_that_people_write_are_accepted() {
    let tree = json!({ "$ref": "#/$defs/node", "$defs": { "node": {
        "type": "object",
        "properties": {
            "name": { "type": "string", "minLength": 1 },
            "children": { "type": "array", "items": { "$ref": "#/$defs/node" } },
        },
        "required": ["name"],
        "additionalProperties": false,
    }}});
    let mut deep = json!({ "name": "leaf" });
    for _ in 0..40 {
        deep = json!({ "name": "node", "children": [deep, { "name": "b" }] });
    }
    accepted(&tree, &deep);
    let point = json!({ "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }], "minItems": 2 });
    let geo = json!({ "$ref": "#/$defs/geometry", "$defs": {
        "point": point,
        "line": { "type": "array", "items": { "$ref": "#/$defs/point" }, "minItems": 2 },
        "geometry": { "oneOf": [
            { "properties": { "type": { "const": "Point" }, "coordinates": { "$ref": "#/$defs/point" } } },
            { "properties": { "type": { "const": "LineString" }, "coordinates": { "$ref": "#/$defs/line" } } },
            { "properties": {
                "type": { "const": "GeometryCollection" },
                "geometries": { "type": "array", "items": { "$ref": "#/$defs/geometry" } },
            }, "required": ["geometries"] },
        ]},
    }});
    let line: Vec<_> = (0..200).map(|n| json!([n, n])).collect();
    let line = json!({ "type": "LineString", "coordinates": line });
    accepted(
        &geo,
        &json!({ "type": "GeometryCollection", "geometries": [line, { "type": "Point", "coordinates": [1, 2] }] }),
    );
    let field = |n| {
        (
            format!("field{n}"),
            json!({ "type": "string", "maxLength": 100, "pattern": "^[\\w.-]*$" }),
        )
    };
    let form = json!({ "type": "object", "properties": (0..50).map(field).collect::<Map<_, _>>() });
    accepted(
        &form,
        &(0..50).map(|n| (format!("field{n}"), json!("value"))).collect::<Map<_, _>>().into(),
    );
    let password = json!({ "type": "string", "pattern": "^(?=.*[A-Z])(?=.*\\d).{8,64}$" });
    accepted(&password, &json!("Correct horse 1"));
    for draft in ["draft-04", "draft-06", "draft-07", "draft/2019-09", "draft/2020-12"] {
        let scheme = if draft.contains('/') { "https" } else { "http" };
        accepted(
            &json!({ "$schema": format!("{scheme}://json-schema.org/{draft}/schema"),
                     "$ref": format!("{scheme}://json-schema.org/{draft}/schema") }),
            &json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
        );
    }
    let rows: Vec<_> = (0..1_500).map(|n| json!({ "id": n, "name": "row", "on": true })).collect();
    accepted(
        &json!({ "type": "array", "items": { "type": "object", "properties": {
            "id": { "type": "integer" }, "name": { "type": "string" }, "on": { "type": "boolean" },
        }}}),
        &rows.into(),
    );
}

/// What is compiled and checked in each other takes stack, of which a thread has 2 MiB.
#[test]
fn deepest_schema_fits_on_the_stack() {
    let node = json!({ "$ref": "#/$defs/node" });
    let list =
        json!({ "$ref": "#/$defs/node", "$defs": { "node": { "anyOf": [{ "items": node }] } } });
    accepted(&list, &(0..80).fold(json!([]), |value, _| json!([value])));
    let nested =
        |inner: Value| (0..30).fold(inner, |inner, _| json!({ "properties": { "a": inner } }));
    let parts: Map<_, _> = (0..20)
        .map(|n| (format!("a{n}"), nested(json!({ "$ref": format!("#/$defs/a{}", n + 1) }))))
        .chain([("a20".to_owned(), json!({ "type": "integer" }))])
        .collect();
    let deep = json!({ "$ref": "#/$defs/a0", "$defs": parts });
    accepted(&deep, &(0..80).fold(json!({}), |value, _| json!({ "a": value })));
}

#[test]
fn a_value_that_takes_too_many_steps_is_neither_right_nor_wrong() {
    let too_large = |schema: &Value, value: &Value| {
        let schema = compile(schema).unwrap();
        matches!(schema.check(value, &mut Budget::default()), Err(Unfit::TooLarge))
    };
    // Every level of the value is checked twice as often as the one above it.
    let node = json!({ "$ref": "#/$defs/node" });
    let tree = json!({ "$ref": "#/$defs/node", "$defs": { "node": {
        "allOf": [{ "items": node }, { "items": node }],
    }}});
    let nested = |levels| (0..levels).fold(json!(1), |value, _| json!([value]));
    assert!(!too_large(&tree, &nested(5)));
    assert!(too_large(&tree, &nested(100)));
    let ways = json!({ "additionalProperties": { "$ref": "#" }, "patternProperties": { "": { "$ref": "#" } } });
    let object = (0..100).fold(json!(1), |value, _| json!({ "a": value }));
    assert!(too_large(&ways, &object));
    let looks_around = json!({ "pattern": "^(?=(a+)+$).*$" });
    assert!(!too_large(&looks_around, &json!("a".repeat(100))));
    assert!(too_large(&looks_around, &json!("a".repeat(30_000))));
    let unique = json!({ "uniqueItems": true });
    assert!(too_large(&unique, &(0..15_000).collect::<Vec<_>>().into()));
    let mut budget = Budget::default();
    let list = compile(&json!({ "items": { "type": "integer" } })).unwrap();
    let value: Value = (0..40_000).collect::<Vec<_>>().into();
    assert!(list.check(&value, &mut budget).is_ok());
    assert!(matches!(list.check(&value, &mut budget), Err(Unfit::TooLarge)));
}

/// Counts how often a part is asked.
struct Counted(Arc<AtomicU32>);

impl<'i> Keyword<'i> for Counted {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        self.is_valid(value);
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        true
    }
}

/// Parts with their own names, which refer to each other in any way.
fn any_schema() -> impl Strategy<Value = Value> {
    let reference = (0..5_u8).prop_map(|n| json!({ "$ref": format!("#/$defs/a{n}") }));
    let leaf = prop_oneof![
        4 => reference,
        1 => Just(json!({ "type": "integer" })),
        1 => Just(json!({ "type": "array" })),
        1 => Just(json!({ "minProperties": 1 })),
        1 => Just(json!(true)),
    ];
    let part = leaf.prop_recursive(3, 12, 3, |inner| {
        let keyword = prop_oneof![
            Just("allOf"),
            Just("anyOf"),
            Just("oneOf"),
            Just("not"),
            Just("if"),
            Just("then"),
            Just("properties"),
            Just("patternProperties"),
            Just("additionalProperties"),
            Just("dependentSchemas"),
            Just("propertyNames"),
            Just("items"),
            Just("prefixItems"),
            Just("contains"),
            Just("unevaluatedProperties"),
            Just("unevaluatedItems"),
        ];
        proptest::collection::vec((keyword, proptest::collection::vec(inner, 1..3)), 1..4).prop_map(
            |keywords| {
                let keyword = |(keyword, parts): (&str, Vec<Value>)| {
                    let value = match keyword {
                        "allOf" | "anyOf" | "oneOf" | "prefixItems" => parts.into(),
                        "properties" | "dependentSchemas" | "patternProperties" => {
                            let names = ["a", "b"].map(str::to_owned);
                            names.into_iter().zip(parts).collect::<Map<_, _>>().into()
                        }
                        _ => parts[0].clone(),
                    };
                    (keyword.to_owned(), value)
                };
                Value::Object(keywords.into_iter().map(keyword).collect())
            },
        )
    });
    proptest::collection::vec(part, 5).prop_map(|parts| {
        let parts: Map<_, _> =
            parts.into_iter().enumerate().map(|(n, part)| (format!("a{n}"), part)).collect();
        json!({ "$ref": "#/$defs/a0", "$defs": parts })
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("a")), Just(json!([])), Just(json!({}))];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::vec((prop_oneof![Just("a"), Just("b"), Just("c")], inner), 0..3)
                .prop_map(|members| {
                    let own = |(name, value): (&str, Value)| (name.to_owned(), value);
                    Value::Object(members.into_iter().map(own).collect())
                }),
        ]
    })
}

/// Has every part of the schema counted.
fn counted(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(counted);
            members.insert("counted".into(), true.into());
        }
        Value::Array(items) => items.iter_mut().for_each(counted),
        _ => {}
    }
}

/// The validator of jsonschema 0.60.2 panics on this schema.
#[test]
fn a_schema_that_makes_the_validator_panic_ends_nothing() {
    let schema = json!({
        "$ref": "#/$defs/a",
        "$defs": {
            "a": { "allOf": [{
                "unevaluatedProperties": { "not": { "$ref": "#/$defs/a" } },
                "dependentSchemas": { "a": { "$ref": "#/$defs/b" } },
            }] },
            "b": { "patternProperties": { "a": { "allOf": [{ "$ref": "#/$defs/c" }] } } },
            "c": { "properties": { "a": { "$ref": "#/$defs/b" } } },
        },
    });
    let schema = Schema::new(&schema, &mut Allowance::default()).expect("it can be compiled");
    let value = json!({ "a": 1 });
    assert!(matches!(schema.check(&value, &mut Budget::default()), Err(Unfit::Unusable)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// The checker takes no more steps than were counted before.
    #[test]
    fn schema_check_stays_within_its_allowance(schema in any_schema(), value in any_value()) {
        let Ok(cost) = Cost::of(&schema, &mut Allowance::default()) else { return Ok(()) };
        let mut budget = Budget::default();
        prop_assume!(cost.is_within(&mut budget, &value));
        let asked = Arc::new(AtomicU32::new(0));
        let mut schema = schema;
        counted(&mut schema);
        let count = Arc::clone(&asked);
        let validator = jsonschema::options()
            .with_keyword("counted", move |_, _, _| Ok(Box::new(Counted(Arc::clone(&count))) as Box<dyn for<'i> Keyword<'i>>))
            .build(&schema);
        let Ok(validator) = validator else { return Ok(()) };
        // Where it panics, it has taken no more steps either.
        let _ = guarded(|| validator.validate(&value).is_ok());
        prop_assert!(asked.load(Ordering::Relaxed) <= budget.spent());
    }
}
