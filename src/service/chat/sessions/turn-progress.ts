/**
 * What happened since the last message of a person, read from the conversation that each request repeats: a request costs
 * its new messages only, and after a restart the next one tells all of its turn again.
 */
import type { ChatMessage } from '../../../shared/chat/chat.ts'
import type { StuckMark } from '../../../shared/requests/session-change.ts'
import type { StepClass } from '../../../shared/requests/session-step.ts'
import type { ChatCall } from '../chat-call.ts'
import { taskOf } from '../prompt-text.ts'
import { callsOf } from './called-tools.ts'
import { textsOf } from './request-forms.ts'
import { marksOfMessage } from './result-marks.ts'
import { classOfStep, commandOf } from './step-class.ts'

const mostErrors = 4
const resultsWithErrors = 10
const manyEdits = 15
const manySteps = 50
/** Calls since the last edit that are remembered, 4 bytes each. */
const mostCalls = 64
const mostCharacters = 4_096

export class TurnProgress {
  /** Place of the person's message, and how many messages were read. */
  #start = -1
  #startLength = -1
  #read = 0
  /** The client's own name for the turn. */
  #name: string | null = null
  #steps = 0
  #edits = 0
  /** A bit for each of the last results. */
  #errors = 0
  #isRepeated = false
  #calls: number[] = []
  /** Calls of the named command whose results are still to come. */
  #checks: string[] = []
  #told = new Set<StuckMark>()
  /** Whether the named command failed after an edit, and did not pass since. */
  hasFailedCheck = false
  lastClass: StepClass | null = null

  /** @param command  whose failure is looked for; null for none. @returns whether a new turn began */
  read(call: Pick<ChatCall, 'body' | 'asker'>, command: string | null): boolean {
    const { asker, body } = call
    const { messages } = body
    const client = asker?.client ?? null
    const isTask = (place: number) =>
      messages[place]?.role === 'user' && taskOf(messages, place, client) !== ''
    let isNew = false
    for (let place = this.#next(messages, isTask); place < messages.length; place += 1) {
      const message = messages[place]
      if (message === undefined) continue
      if (isTask(place)) isNew = this.#begin(place, message, asker?.turn ?? null) || isNew
      else if (message.role === 'assistant') this.#step(message, command)
      else if (message.role === 'tool') this.#result(message)
    }
    this.#read = messages.length
    return isNew
  }

  get marks(): StuckMark[] {
    return [
      ...(this.#isRepeated ? ['repeat' as const] : []),
      ...(bitsOf(this.#errors) >= mostErrors ? ['errors' as const] : []),
      ...(this.#edits >= manyEdits ? ['edits' as const] : []),
      ...(this.#steps > manySteps ? ['long' as const] : []),
    ]
  }

  /** The marks that were not told in this turn. */
  newMarks(): StuckMark[] {
    const marks = this.marks.filter((mark) => !this.#told.has(mark))
    for (const mark of marks) this.#told.add(mark)
    return marks
  }

  /** Place of the first message to read. */
  #next(messages: readonly ChatMessage[], isTask: (place: number) => boolean): number {
    const isSame =
      this.#read <= messages.length &&
      this.#start !== -1 &&
      lengthOf(messages[this.#start]) === this.#startLength
    if (isSame) return this.#read
    let place = messages.length - 1
    while (place > 0 && !isTask(place)) place -= 1
    return Math.max(0, place)
  }

  #begin(place: number, message: ChatMessage, name: string | null): boolean {
    this.#start = place
    this.#startLength = lengthOf(message)
    // A compaction, and what a person adds while the agent works, are of the same turn.
    if (name !== null && name === this.#name) return false
    this.#name = name
    this.#steps = 0
    this.#edits = 0
    this.#errors = 0
    this.#isRepeated = false
    this.#calls = []
    this.#checks = []
    this.#told.clear()
    this.hasFailedCheck = false
    this.lastClass = null
    return true
  }

  #step(message: ChatMessage, command: string | null): void {
    const calls = callsOf([{ message }])
    this.#steps += 1
    const found = classOfStep(calls, this.lastClass)
    this.lastClass = found
    if (found === 'edit') {
      this.#edits += 1
      this.#calls = []
    } else {
      const hashes = calls.map(({ name, input }) => hashOf(`${name} ${input}`))
      this.#isRepeated ||= hashes.some((hash) => this.#calls.includes(hash))
      this.#calls = [...this.#calls, ...hashes].slice(-mostCalls)
    }
    if (command === null) return
    for (const [index, call] of calls.entries()) {
      const id = message.tool_calls?.[index]?.id
      if (id !== undefined && names(commandOf(call), command)) this.#checks.push(id)
    }
  }

  #result(message: ChatMessage): void {
    const marks = marksOfMessage(message)
    const isError = marks.includes('error')
    this.#errors = ((this.#errors << 1) | Number(isError)) & (2 ** resultsWithErrors - 1)
    const place = this.#checks.indexOf(message.tool_call_id ?? '')
    if (place === -1) return
    this.#checks.splice(place, 1)
    this.hasFailedCheck = this.#edits > 0 && (isError || marks.includes('failed'))
  }
}

/** Whether a command is, or has among others, the one that a person named. */
function names(script: string, command: string): boolean {
  const plain = ` ${script.replaceAll(/\s+/g, ' ').trim()} `
  const wanted = command.replaceAll(/\s+/g, ' ').trim()
  const at = plain.indexOf(` ${wanted}`)
  return at !== -1 && /^[\s;&|)]/.test(plain.slice(at + wanted.length + 1))
}

function lengthOf(message: ChatMessage | undefined): number {
  return message === undefined ? -1 : textsOf(message).reduce((sum, text) => sum + text.length, 0)
}

function bitsOf(value: number): number {
  let bits = 0
  for (let rest = value; rest > 0; rest >>= 1) bits += rest & 1
  return bits
}

/** FNV-1a of the beginning of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  const end = Math.min(text.length, mostCharacters)
  for (let place = 0; place < end; place += 1)
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return hash >>> 0
}
