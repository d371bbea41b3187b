/** A recorded session, played by the vendors: what the next answers of the main agent and of its subagent do. */
import { answerOf, type AnswerMeaning } from '../../test/upstreams/harness.ts'
import type { Item, RequestMeaning } from '../../test/upstreams/request-meaning.ts'
import type { RequestKind } from '../../src/shared/requests/session-step.ts'

/**
 * `busy`: the first choice answers 429 and the next account does not. `limited`: all do. `broken`: the stream ends in the
 * middle of the text. `silent`: the stream stops, and stays open.
 */
export type Move = (typeof calls)[number] | 'say' | 'busy' | 'limited' | 'broken' | 'silent'

const calls = ['read', 'read much', 'edit', 'edit back', 'run', 'delegate', 'wait'] as const
type Call = (typeof calls)[number]

export interface Turn {
  name: string
  moves: readonly Move[]
  /** The client is asked for a compaction; others compact when the prompt is long. */
  isCompaction?: true
  /** The client is interrupted while it waits. */
  isAborted?: true
}

export const files = { note: 'note.txt', much: 'much.txt', ran: 'ran.txt' } as const
export const noteText = 'The colour is red.\n'
/** Longer than any tool shows of a file at once. */
export const muchText = 'A line of a long file that says nothing at all.\n'.repeat(1_200)

export const turns: readonly Turn[] = [
  {
    name: 'ONE',
    moves: [
      ...(['read', 'edit', 'run', 'busy', 'read', 'edit back', 'run'] as const),
      ...(['delegate', 'wait', 'read', 'run', 'say'] as const),
    ],
  },
  { name: 'TWO', moves: ['read', 'broken', 'read', 'run', 'limited', 'edit', 'run', 'say'] },
  { name: 'THREE', moves: ['read much', 'read much', 'read much', 'read', 'say'] },
  { name: 'COMPACT', moves: [], isCompaction: true },
  { name: 'FOUR', moves: ['read', 'run', 'read', 'edit back', 'say'] },
  { name: 'FIVE', moves: ['read', 'silent'], isAborted: true },
  { name: 'SIX', moves: ['read', 'run', 'say'] },
]
const subagentMoves: readonly Move[] = ['read', 'run', 'read', 'say']

const turnMark = 'Work on the note, part '
const taskMark = 'Look through the folder for colours'
export const endText = 'This part is done.'
/** @param folder  the working folder; some tools take only absolute paths */
export function turnPrompt({ name }: Turn, folder: string): string {
  return `${turnMark}${name}. Folder: <${folder}>`
}

/** The kind of request by its texts; the product has other ways to tell. */
export function kindOf({ items, tools }: RequestMeaning): RequestKind {
  const texts = items.flatMap((item) => (isUserText(item) ? [item.text] : []))
  const last = texts.at(-1) ?? ''
  if (/CONTEXT CHECKPOINT COMPACTION|(detailed|anchored) summary|update the .*summary/i.test(last))
    return 'compaction'
  if (tools.length === 0) return 'title'
  return texts.some((text) => text.includes(taskMark)) ? 'subagent' : 'main'
}

function isUserText(item: Item): item is Item & { kind: 'text' } {
  return item.kind === 'text' && item.from === 'user'
}

/** What is left to play. */
export class Play {
  readonly folder: string
  #main: Move[] = []
  readonly #subagent = [...subagentMoves]
  #made = 0

  constructor(folder: string) {
    this.folder = folder
  }

  begin(turn: Turn): void {
    this.#main = [...turn.moves]
  }

  /** @returns moves of the turn that were not played */
  get left(): readonly Move[] {
    return this.#main
  }

  /** @param isFirstChoice  false for the account that answers when the first does not */
  next(kind: RequestKind, request: RequestMeaning, isFirstChoice: boolean): Move {
    const moves = kind === 'subagent' ? this.#subagent : kind === 'main' ? this.#main : []
    // Other agents are told by themselves when a subagent has ended.
    if (moves[0] === 'wait' && waitTool(request) === null) moves.shift()
    const [move = 'say'] = moves
    if (move === 'limited' && isFirstChoice) return move
    if (move === 'busy' && !isFirstChoice) {
      moves.splice(0, 2)
      return 'read'
    }
    if (move !== 'busy') moves.shift()
    return move
  }

  /** An answer that makes the move with a tool of the request. */
  answer(move: Move, request: RequestMeaning): AnswerMeaning {
    const call = calls.find((one) => one === move)
    if (call === undefined) return answerOf({ texts: endText.split(/(?<= )/) })
    const offered = new Set(request.tools.map(({ name }) => name))
    const known = call === 'wait' ? [waitTool(request)] : toolsOf(this.folder)[call]
    const tool = known.find((one) => one !== null && offered.has(one.name))
    if (tool === undefined || tool === null)
      return answerOf({ texts: [`No tool to ${call}: ${[...offered].join()}`] })
    this.#made += 1
    const id = `call${String(this.#made).padStart(5, '0')}`
    const toolCalls = [{ id, name: tool.name, arguments: JSON.stringify(tool.input) }]
    return answerOf({ texts: [`I ${call} `, 'now.'], toolCalls })
  }
}

/** Codex waits for the agents that it names. */
function waitTool({ items, tools }: RequestMeaning): Tool | null {
  const name = 'multi_agent_v1__wait_agent'
  const results = items.flatMap((item) => (item.kind === 'result' ? item.parts : []))
  const texts = results.map((part) => (part.kind === 'text' ? part.text : ''))
  const [, agent] = /"agent_id"\s*:\s*"([^"]+)"/.exec(texts.join('\n')) ?? []
  if (agent === undefined || !tools.some((tool) => tool.name === name)) return null
  return { name, input: { targets: [agent], timeout_ms: 60_000 } }
}

interface Tool {
  name: string
  input: Readonly<Record<string, unknown>>
}

/** The tools of Claude Code, opencode and Codex. */
function toolsOf(folder: string): Record<Exclude<Call, 'wait'>, readonly Tool[]> {
  const edit = (from: string, to: string): Tool[] => {
    const path = `${folder}/${files.note}`
    return [
      { name: 'Edit', input: { file_path: path, old_string: from, new_string: to } },
      { name: 'edit', input: { filePath: path, oldString: from, newString: to } },
      { name: 'exec_command', input: { cmd: `sed -i s/${from}/${to}/ ${files.note}` } },
    ]
  }
  const read = (file: string): Tool[] => [
    { name: 'Read', input: { file_path: `${folder}/${file}` } },
    { name: 'read', input: { filePath: `${folder}/${file}` } },
    { name: 'exec_command', input: { cmd: `cat ${file}`, max_output_tokens: 12_000 } },
  ]
  const command = `echo ran >> ${files.ran}`
  const task = { description: 'Looks for colours', prompt: `${taskMark}.` }
  return {
    read: read(files.note),
    'read much': read(files.much),
    edit: edit('red', 'blue'),
    'edit back': edit('blue', 'red'),
    run: [
      { name: 'Bash', input: { command, description: 'Writes a file' } },
      { name: 'bash', input: { command, description: 'Writes a file' } },
      { name: 'exec_command', input: { cmd: command } },
    ],
    delegate: [
      { name: 'Agent', input: { ...task, subagent_type: 'general-purpose' } },
      { name: 'task', input: { ...task, subagent_type: 'general' } },
      { name: 'multi_agent_v1__spawn_agent', input: { message: task.prompt } },
    ],
  }
}
