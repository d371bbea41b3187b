/** Reads a task a line from the standard input, and answers each with a line. */
import { createInterface } from 'node:readline'

export const weatherTool = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' }, population: { type: 'integer' } },
  required: ['city', 'population'],
  additionalProperties: false,
}

/** @param doors  per door, a function per kind of task that returns the task's result */
export async function answerTasks(doors) {
  for await (const line of createInterface({ input: process.stdin })) {
    const task = JSON.parse(line)
    process.stdout.write(`${JSON.stringify(await outcomeOf(doors[task.door][task.do], task))}\n`)
  }
}

async function outcomeOf(run, task) {
  try {
    return { result: await run(task) }
  } catch (error) {
    const status = error.status ?? error.statusCode ?? null
    const type = error.constructor.name
    return { error: { type, status, message: String(error.message).slice(0, 400) } }
  }
}

/** Joins the pieces of a stream. @param textOf  the text of a piece; undefined or empty if it has none */
export async function joinPieces(stream, textOf = (piece) => piece) {
  let text = ''
  let pieces = 0
  for await (const piece of stream) {
    const part = textOf(piece)
    if (!part) continue
    text += part
    pieces += 1
  }
  return { text, pieces }
}

/** Leaves at the first piece with text. @param leave  aborts the request */
export async function leaveAtFirstPiece(stream, leave, textOf = (piece) => piece) {
  let left = false
  try {
    for await (const piece of stream) {
      if (left || !textOf(piece)) continue
      left = true
      leave()
    }
  } catch (error) {
    if (!/abort/i.test(`${error.name} ${error.message}`)) throw error
  }
  if (!left) throw new Error('the answer ended without a piece')
  return { left }
}
