/**
 * Normalizes the tool calls of one answer to the form that OpenAI's SDKs expect: the first delta of a call has
 * its index, id, type and whole name, later deltas have its index and more of its arguments, and the indices
 * are 0, 1, 2 … Upstreams differ in all of that: they omit indices, number every call 0, begin at 1, repeat or
 * omit ids, cut names in two. A delta belongs to the call with its id, otherwise with its name, otherwise with
 * the upstream's own index, otherwise to the latest call. Custom tools work the same way, with their input in
 * place of the arguments. Other fields of a call and of its `function` or `custom` object, such as Google's
 * thought signatures in `extra_content`, are sent with the call's next delta.
 *
 * A call is held back until its first argument, because a name may continue and SDKs read it from the first
 * delta only. No caller can act on a name without arguments, so this costs no time.
 */
import type { ChunkChoice, ToolCallDelta, WireFields } from '../../../shared/chat/chat.ts'
import { randomBase62 } from '../../api-key-format.ts'
import type { ProviderChunk, UpstreamToolCall } from '../../providers/provider.ts'

type UpstreamChoice = ProviderChunk['choices'][number]

interface Call {
  /** Empty until the upstream sends an id or one is generated. */
  id: string
  type: string
  isCustom: boolean
  /** Fields to pass on that have not been sent yet. */
  unsent: WireFields | null
  /** The same for the call's `function` or `custom` object. */
  unsentPayload: WireFields | null
  name: string
  /** All arguments so far. */
  text: string
  /** The upstream's own indices for this call. */
  places: Set<number>
  /** Consecutive index of the call; null until its first delta is sent. */
  index: number | null
}

/** A delta with empty texts for the fields it omits. */
interface Piece {
  id: string
  /** The upstream's own index of the call; null without one. */
  place: number | null
  name: string
  /** Further characters of the arguments, or of a custom tool's input. */
  text: string
  /** Null if the upstream omits it. */
  type: string | null
  isCustom: boolean
  others: WireFields | null
  /** Other fields of the call's `function` or `custom` object. */
  payloadOthers: WireFields | null
}

/** Looks like OpenAI's ids and is unique, so no conversation contains the same id twice. */
export function newToolCallId(): string {
  return `call_${randomBase62(24)}`
}

/** Normalizes the calls of one answer; created before its first chunk. */
export class ToolCallNormalizer {
  readonly #newId: () => string
  #byChoice: Map<number, ChoiceCalls> | null = null

  /** @param newId  generates an id for a call without one: `call_…` */
  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** The choices to send for the choices of a chunk; the same array until the first tool call. */
  normalize(choices: UpstreamChoice[]): ChunkChoice[] {
    if (this.#byChoice === null && !choices.some(callsTools)) {
      // No choice has tool calls, the only difference between the two types.
      return choices as ChunkChoice[]
    }
    this.#byChoice ??= new Map()
    return choices.map((choice) => this.#normalizeChoice(choice))
  }

  #normalizeChoice(choice: UpstreamChoice): ChunkChoice {
    const { tool_calls, ...delta } = choice.delta
    const calls = this.#callsOf(choice.index)
    const sent = tool_calls === undefined ? [] : calls.take(tool_calls)
    if (choice.finish_reason !== null) sent.push(...calls.rest())
    return {
      ...choice,
      delta: sent.length === 0 ? delta : { ...delta, tool_calls: sent },
      // Some upstreams send `stop` after a tool call, and callers would then end the conversation.
      finish_reason:
        choice.finish_reason === 'stop' && calls.hasAny() ? 'tool_calls' : choice.finish_reason,
    }
  }

  #callsOf(choiceIndex: number): ChoiceCalls {
    const known = this.#byChoice?.get(choiceIndex) ?? new ChoiceCalls(this.#newId)
    this.#byChoice?.set(choiceIndex, known)
    return known
  }
}

function callsTools({ delta }: UpstreamChoice): boolean {
  return delta.tool_calls !== undefined
}

/** The calls of one choice, in the order they began. */
class ChoiceCalls {
  readonly #newId: () => string
  readonly #calls: Call[] = []
  #sentCount = 0

  constructor(newId: () => string) {
    this.#newId = newId
  }

  hasAny(): boolean {
    return this.#calls.length > 0
  }

  /** @returns the deltas that can be sent now */
  take(deltas: readonly UpstreamToolCall[]): ToolCallDelta[] {
    return deltas.flatMap((delta, position) => {
      // Without indices, the order tells several calls in one delta apart.
      const place = delta.index ?? (deltas.length > 1 ? position : null)
      return this.#takePiece(toPiece(delta, place))
    })
  }

  #takePiece(piece: Piece): ToolCallDelta[] {
    const call = this.#callOf(piece)
    if (piece.place !== null) call.places.add(piece.place)
    this.#adoptId(call, piece.id)
    addName(call, piece.name)
    call.text += piece.text
    call.type = piece.type ?? call.type
    call.isCustom ||= piece.isCustom
    if (piece.others !== null) call.unsent = { ...call.unsent, ...piece.others }
    if (piece.payloadOthers !== null) {
      call.unsentPayload = { ...call.unsentPayload, ...piece.payloadOthers }
    }
    if (call.index === null) {
      return call.text !== '' && call.name !== '' ? this.#sendThrough(call) : []
    }
    if (piece.text === '' && call.unsent === null && call.unsentPayload === null) return []
    return [{ ...takeUnsent(call), index: call.index, ...takePayload(call, { text: piece.text }) }]
  }

  /** Calls still held back when the answer ends: those without arguments. */
  rest(): ToolCallDelta[] {
    const last = this.#calls.at(-1)
    return last === undefined ? [] : this.#sendThrough(last)
  }

  #callOf(piece: Piece): Call {
    const known = piece.id === '' ? undefined : this.#calls.findLast(({ id }) => id === piece.id)
    // Two calls may share an id: a call whose arguments are complete cannot continue.
    if (known) return beginsAnother(piece, known) ? this.#begin('') : known
    const here = this.#callAt(piece.place)
    if (piece.name !== '') return here && mayName(piece, here) ? here : this.#begin(piece.id)
    // An id without a name may be new for each delta. A piece with neither belongs to the last call.
    const last = piece.id === '' ? this.#calls.at(-1) : undefined
    return here ?? last ?? this.#begin(piece.id)
  }

  /** The latest call with this upstream index; without an index, the latest call. */
  #callAt(place: number | null): Call | undefined {
    if (place === null) return this.#calls.at(-1)
    return this.#calls.findLast((call) => call.places.has(place))
  }

  #begin(id: string): Call {
    const call: Call = {
      id,
      type: 'function',
      isCustom: false,
      unsent: null,
      unsentPayload: null,
      name: '',
      text: '',
      places: new Set(),
      index: null,
    }
    this.#calls.push(call)
    return call
  }

  /** Sets an id that arrives after the name, unless another call has it. */
  #adoptId(call: Call, id: string): void {
    if (call.id !== '' || call.index !== null) return
    if (!this.#calls.some((known) => known.id === id)) call.id = id
  }

  /** First deltas of this call and of the waiting calls before it, so that the indices stay in order. */
  #sendThrough(last: Call): ToolCallDelta[] {
    const end = this.#calls.indexOf(last) + 1
    const waiting = this.#calls.slice(this.#sentCount, end)
    return waiting.map((call) => {
      call.index = this.#sentCount
      this.#sentCount += 1
      const { index, type, name, text } = call
      if (call.id === '') call.id = this.#newId()
      return { ...takeUnsent(call), index, id: call.id, type, ...takePayload(call, { name, text }) }
    })
  }
}

/** The `function` or `custom` object to send, with its other fields that have not been sent yet. */
function takePayload(
  call: Call,
  { name, text }: { name?: string; text: string },
): Pick<ToolCallDelta, 'function' | 'custom'> {
  const fields = name === undefined ? call.unsentPayload : { ...call.unsentPayload, name }
  call.unsentPayload = null
  return call.isCustom
    ? { custom: { ...fields, input: text } }
    : { function: { ...fields, arguments: text } }
}

function takeUnsent(call: Call): WireFields | null {
  const { unsent } = call
  call.unsent = null
  return unsent
}

function toPiece(call: UpstreamToolCall, place: number | null): Piece {
  const { id = '', index: _index, type = null, function: called, custom, ...rest } = call
  const { name = '', arguments: text = '', ...payload } = called ?? {}
  const { name: customName = name, input = text, ...customPayload } = custom ?? {}
  return {
    id,
    place,
    name: customName,
    text: input,
    type,
    isCustom: custom !== undefined,
    others: unlessEmpty(rest),
    payloadOthers: unlessEmpty({ ...payload, ...customPayload }),
  }
}

function unlessEmpty(fields: WireFields): WireFields | null {
  return Object.keys(fields).length === 0 ? null : fields
}

/** Whether the piece's name can belong to this call: it continues the name, arrives late, or repeats it. */
function mayName(piece: Piece, call: Call): boolean {
  if (call.text === '') return piece.id === '' || call.id === ''
  // The same name after complete arguments calls the same tool again.
  return piece.id === '' && call.name === piece.name && !isWhole(call.text)
}

function beginsAnother({ name, text }: Piece, call: Call): boolean {
  return name !== '' && text.trimStart().startsWith('{') && isWhole(call.text)
}

/** Names arrive whole, in pieces, repeated with each delta, or longer each time. */
function addName(call: Call, name: string): void {
  if (name === '' || call.text !== '') return
  call.name = name.startsWith(call.name) ? name : call.name + name
}

function isWhole(json: string): boolean {
  if (!json.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
