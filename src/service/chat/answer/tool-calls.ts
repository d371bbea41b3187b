/**
 * The tool calls of one answer as OpenAI's SDKs put them together: the first delta of a call has its
 * index, id, type and whole name, later ones its index and more of its arguments, and the indices are
 * 0, 1, 2 … Upstreams differ in all of that: they leave indices out, number every call 0, begin at 1,
 * repeat or leave out ids, cut names in two. A delta belongs to the call with its id, else with its name,
 * else with the upstream's own index, else to the latest call. Custom tools are treated alike: their input
 * takes the place of the arguments. Further fields of a call and of its
 * `function` or `custom` object, such as Google's thought signatures in `extra_content`, are sent with the
 * call's next delta.
 *
 * A call is held back until its first argument, because a name may continue and SDKs take it from the first
 * delta alone. No caller can act on a name without arguments, so this costs no time.
 */
import type { ChunkChoice, ToolCallDelta, WireFields } from '../../../shared/chat.ts'
import { randomBase62 } from '../../api-key-format.ts'
import type { ProviderChunk, UpstreamToolCall } from '../../providers/provider.ts'

type UpstreamChoice = ProviderChunk['choices'][number]

interface Call {
  /** Empty until the upstream gives one, or it is made. */
  id: string
  type: string
  isCustom: boolean
  /** Fields to pass on that were not sent yet. */
  unsent: WireFields | null
  /** The same, of the call's `function` or `custom` object. */
  unsentPayload: WireFields | null
  name: string
  /** All of its arguments so far. */
  text: string
  /** The places the upstream called it by. */
  places: Set<number>
  /** Its dense index, once its first delta was sent. */
  index: number | null
}

/** A delta with what it leaves out as empty texts. */
interface Piece {
  id: string
  /** What the upstream calls the call by; null when it says nothing. */
  place: number | null
  name: string
  /** More of the arguments, or of a custom tool's input. */
  text: string
  /** Null where the upstream does not say. */
  type: string | null
  isCustom: boolean
  others: WireFields | null
  /** Further fields of the call's `function` or `custom` object. */
  payloadOthers: WireFields | null
}

/** As OpenAI's look; no caller may meet the same one twice in a conversation. */
export function newToolCallId(): string {
  return `call_${randomBase62(24)}`
}

/** One answer's; made before its first chunk. */
export class ToolCallNormalizer {
  readonly #newId: () => string
  #byChoice: Map<number, ChoiceCalls> | null = null

  /** @param newId  makes an id for a call that came without one: `call_…` */
  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** The choices to send for those of a chunk; the same array until the first tool call. */
  normalize(choices: UpstreamChoice[]): ChunkChoice[] {
    if (this.#byChoice === null && !choices.some(callsTools)) {
      // None has tool calls, the only thing in which the two types differ.
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
      // Some say `stop` after calling a tool, and callers would then end the conversation.
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

/** The calls of one choice, in the order in which they began. */
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
      // Without indices, several in one delta are told apart by their order.
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

  /** Those that are still held back when the answer ends: calls without arguments. */
  rest(): ToolCallDelta[] {
    const last = this.#calls.at(-1)
    return last === undefined ? [] : this.#sendThrough(last)
  }

  #callOf(piece: Piece): Call {
    const known = piece.id === '' ? undefined : this.#calls.findLast(({ id }) => id === piece.id)
    // The same id for two calls: whole arguments cannot go on.
    if (known) return beginsAnother(piece, known) ? this.#begin('') : known
    const here = this.#callAt(piece.place)
    if (piece.name !== '') return here && mayName(piece, here) ? here : this.#begin(piece.id)
    // An id made up for each delta comes without a name. What has nothing at all goes on with the last call.
    const last = piece.id === '' ? this.#calls.at(-1) : undefined
    return here ?? last ?? this.#begin(piece.id)
  }

  /** The latest that was called by this place; without one, the call that came last. */
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

  /** One that came after the name; never another call's. */
  #adoptId(call: Call, id: string): void {
    if (call.id !== '' || call.index !== null) return
    if (!this.#calls.some((known) => known.id === id)) call.id = id
  }

  /** First deltas of this call and of those before it, so that the indices are in order. */
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

/** The `function` or `custom` object to send, with its further fields that were not sent yet. */
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

/** Whether a name that comes with a piece may be this call's: going on, late, or said again. */
function mayName(piece: Piece, call: Call): boolean {
  if (call.text === '') return piece.id === '' || call.id === ''
  // The same name after whole arguments: the same tool is called again.
  return piece.id === '' && call.name === piece.name && !isWhole(call.text)
}

function beginsAnother({ name, text }: Piece, call: Call): boolean {
  return name !== '' && text.trimStart().startsWith('{') && isWhole(call.text)
}

/** Names come whole, in pieces, once more with each delta, or longer each time. */
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
