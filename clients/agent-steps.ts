/**
 * A coding agent's turn, played by the upstream: read a file, edit it, run a command, finish. Agents offer different
 * tools for these three steps, so the script picks from the tools of the request.
 */
import { answerOf, type AnswerMeaning } from '../test/upstreams/harness.ts'
import type { RequestMeaning } from '../test/upstreams/request-meaning.ts'

/** The files of the turn, in the agent's working folder. */
export const turnFiles = {
  edited: { name: 'note.txt', before: 'The colour is red.\n', after: 'The colour is blue.\n' },
  written: { name: 'ran.txt', content: 'ran\n' },
} as const

const marker = 'Change the colour in note.txt'
/** @param folder  the working folder; some tools take only absolute paths */
export function turnPrompt(folder: string): string {
  return `${marker} to blue, then run a command. Folder: <${folder}>`
}

export const turnEndText = 'The colour is blue now.'

/** A request without tools with the same prompt asks for the conversation's title. */
export function isAgentTurn({ tools, ...request }: RequestMeaning): boolean {
  return tools.length > 0 && promptOf({ tools, ...request }) !== undefined
}

export function agentStep(request: RequestMeaning): AnswerMeaning {
  const [, folder = ''] = /<([^<>]+)>/.exec(promptOf(request) ?? '') ?? []
  const done = request.items.filter(({ kind }) => kind === 'result').length
  const step = (['read', 'edit', 'run'] as const)[done]
  if (step === undefined) return answerOf({ texts: [turnEndText] })
  const offered = new Set(request.tools.map(({ name }) => name))
  const tool = toolsOf(folder)[step].find(({ name }) => offered.has(name))
  if (tool === undefined) return answerOf({ texts: [`No tool to ${step}: ${[...offered].join()}`] })
  const call = { id: `call_step_${step}`, name: tool.name, arguments: JSON.stringify(tool.input) }
  return answerOf({ texts: [`I ${step} now.`], toolCalls: [call] })
}

function promptOf({ items }: RequestMeaning): string | undefined {
  const texts = items.map((item) => (item.kind === 'text' && item.from === 'user' ? item.text : ''))
  return texts.find((text) => text.includes(marker))
}

interface Tool {
  name: string
  input: Readonly<Record<string, unknown>>
}

/** The tools of Claude Code, opencode and Codex for each step. */
function toolsOf(folder: string): Record<'read' | 'edit' | 'run', readonly Tool[]> {
  const { edited, written } = turnFiles
  const path = `${folder}/${edited.name}`
  const readCommand = `cat ${edited.name}`
  const editCommand = `sed -i s/red/blue/ ${edited.name}`
  const runCommand = `echo ${written.content.trim()} > ${written.name}`
  return {
    read: [
      { name: 'Read', input: { file_path: path } },
      { name: 'read', input: { filePath: path } },
      { name: 'exec_command', input: { cmd: readCommand } },
    ],
    edit: [
      { name: 'Edit', input: { file_path: path, old_string: 'red', new_string: 'blue' } },
      { name: 'edit', input: { filePath: path, oldString: 'red', newString: 'blue' } },
      { name: 'exec_command', input: { cmd: editCommand } },
    ],
    run: [
      { name: 'Bash', input: { command: runCommand, description: 'Writes a file' } },
      { name: 'bash', input: { command: runCommand, description: 'Writes a file' } },
      { name: 'exec_command', input: { cmd: runCommand } },
    ],
  }
}
