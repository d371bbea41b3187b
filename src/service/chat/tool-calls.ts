/**
 * The tool calls of one answer as OpenAI's SDKs put them together: the first delta of a call has its
 * index, id, type and whole name, later ones its index and more of its arguments, and the indices are
 * 0, 1, 2 … Upstreams differ in all of that: they leave indices out, number every call 0, begin at 1,
 * repeat or leave out ids, cut names in two. To whom a delta belongs is told, in this order, by a
 * known id, by a name, by the upstream's own index, and else by which call came last.
 *
 * A call is held back until its first argument, because a name may still go on and SDKs take it from
 * the first delta alone; nobody can act on a name without arguments, so that costs nothing.
 */
import type { ChunkChoice, ToolCallDelta } from '../../shared/chat.ts'
import { randomBase62 } from '../api-key-format.ts'
import type { ProviderChunk, UpstreamToolCall } from '../providers/provider.ts'

type UpstreamChoice = ProviderChunk['choices'][number]

interface Call {
  /** Empty until the upstream gives one, or it is made. */
  id: string
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
  /** More of the arguments. */
  text: string
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

  /** The choices to send for a chunk's; the same array where no tool was called so far. */
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
      // Some say `stop` after calling a tool, and callers then take the answer for the last.
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
    if (call.index === null) {
      return call.text !== '' && call.name !== '' ? this.#sendThrough(call) : []
    }
    return piece.text === '' ? [] : [{ index: call.index, function: { arguments: piece.text } }]
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
    const call: Call = { id, name: '', text: '', places: new Set(), index: null }
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
      const { index, name, text } = call
      if (call.id === '') call.id = this.#newId()
      return { index, id: call.id, type: 'function', function: { name, arguments: text } }
    })
  }
}

function toPiece({ id, function: called }: UpstreamToolCall, place: number | null): Piece {
  return { id: id ?? '', place, name: called?.name ?? '', text: called?.arguments ?? '' }
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
