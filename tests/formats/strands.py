"""The interrupts of Strands, and the state that takes the responses to them."""

from cases import check, module, words

strands = module("strands-agents", "strands/interrupt.py")


def interrupts(payload):
    listed = payload["interrupts"] if isinstance(payload, dict) and "interrupts" in payload else payload
    return listed if isinstance(listed, list) else [listed]


def sends(payload):
    made = [strands.Interrupt(**one).to_dict() for one in interrupts(payload)]
    assert made == interrupts(payload), f"it would send {made}"
    return payload


def reads(payload, answer):
    waiting = {one["id"]: strands.Interrupt(**one) for one in interrupts(payload)}
    state = strands._InterruptState(interrupts=waiting, activated=True)
    state.resume(answer)
    return [one.response for one in state.interrupts.values()]


def wanted(case):
    if case["chosen"] is None:
        return lambda read: not any(read)

    def agrees(read):
        given = [words(one) for one in case["chosen"]]
        return read == [one[0] if isinstance(one, list) and len(one) == 1 else one for one in given]

    return agrees


check("strands-agents", "live", sends, reads, wanted)
