/** What a step does, by the names and commands of its calls: docs/sessions.md has the table. */
import { stepClasses, type StepClass } from '../../../shared/requests/session-step.ts'
import { fieldsOf, parseJsonOrNull, stringOf } from '../../json-fields.ts'

export interface CalledTool {
  name: string
  /** Its arguments as text, at least their beginning. */
  input: string
}

const names: Readonly<Record<string, StepClass | 'shell' | 'before'>> = {
  ...allAs(
    'explore',
    'read glob grep ls list webfetch websearch toolsearch view_image web_search tool_search',
  ),
  ...allAs('edit', 'edit multiedit write notebookedit apply_patch patch'),
  ...allAs(
    'plan',
    'todowrite taskcreate taskupdate exitplanmode enterplanmode askuserquestion skill',
  ),
  ...allAs('plan', 'update_plan request_user_input question'),
  ...allAs('delegate', 'agent task spawn_agent multi_agent_v1.spawn_agent'),
  ...allAs('shell', 'bash exec_command shell local_shell exec functions.exec'),
  ...allAs('before', 'taskoutput bashoutput write_stdin'),
}

function allAs<Class>(value: Class, text: string): Record<string, Class> {
  return Object.fromEntries(text.split(' ').map((name) => [name, value]))
}

/** @param before  the class of the agent's step before; null for none */
export function classOfStep(calls: readonly CalledTool[], before: StepClass | null): StepClass {
  const found = new Set(calls.map((call) => classOfCall(call, before)))
  return stepClasses.find((one) => found.has(one)) ?? 'text'
}

function classOfCall({ name, input }: CalledTool, before: StepClass | null): StepClass {
  const known = names[name.toLowerCase()]
  if (known === 'shell') return classOfCommand(commandIn(input))
  if (known === 'before') return before ?? 'explore'
  if (known !== undefined) return known
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return /(^|[_.-])(write|edit|create|update|delete|set|insert|patch|move)([_.-]|$)/.test(words)
    ? 'edit'
    : 'explore'
}

/** Whether calls only read or check: a check whose command also writes does more. */
export function isReading(calls: readonly CalledTool[]): boolean {
  return calls.length > 0 && calls.every(isReadingCall)
}

function isReadingCall(call: CalledTool): boolean {
  const found = classOfCall(call, null)
  if (found === 'explore') return true
  return found === 'verify' && !writesIn(withoutPlaces(commandOf(call)))
}

/** The command that a call runs in a shell; empty for other tools. */
export function commandOf({ name, input }: CalledTool): string {
  return names[name.toLowerCase()] === 'shell' ? commandIn(input) : ''
}

/** The command of a shell's arguments; of code that calls tools, the code. */
function commandIn(input: string): string {
  const { command, cmd, code } = fieldsOf(parseJsonOrNull(input))
  const given = command ?? cmd ?? code
  if (Array.isArray(given)) return given.map(String).join(' ')
  return stringOf(given) ?? input
}

/** Only the end of a script says what it is for. */
const lastLines = 2
const finishes = /\b(git\s+(commit|push)|gh\s+pr\s+(create|merge)|submit)\b/
const redirects = /(^|[^<>0-9&=-])>{1,2}\s*(?!\/dev\/|\/tmp\/|&)[\w./$~]/
const writes =
  /\bsed\s+(-\w+\s+)*-i|\bsed\s+.*\s-i\b|\btee\s+(-a\s+)?(?!\/tmp\/|\/dev\/)[\w./$"'~]|\bpatch\s|\bgit\s+(apply|mv|rm|checkout\s+--)|(^|[;&|]\s*)(mv|rm|cp|mkdir|touch)\s|open\([^)]*,\s*['"][wa]|write_text\(|apply_patch/
const checks =
  /\b(pytest|tox|nox|unittest|jest|vitest|mocha|playwright|rspec|phpunit|ctest|go\s+(test|build|vet)|cargo\s+(test|build|check|clippy)|make|ninja|gradle|mvn|tsc|mypy|pyright|ruff|flake8|pylint|eslint|oxlint|clippy|npm\s+(test|run)|pnpm\s+\w+|yarn\s+\w+|npx\s+\w+|bundle\s+exec|dotnet\s+(test|build)|swift\s+(test|build))\b|\bpython[\d.]*\s+(?!-c\b)\S|(^|[;&|]\s*)\.\/\S+|\b(node|ruby|bash|sh|perl|php)\s+[\w./-]+\.\w+|\bpython[\d.]*\s+-c\b|\bpython[\d.]*\s*(-\s*)?<</

export function classOfCommand(command: string): StepClass {
  const script = withoutPlaces(command)
  if (finishes.test(script)) return 'finish'
  const isWritten = writesIn(script)
  const isCheck = checks.test(withoutTexts(script))
  if (isWritten) return isCheck ? 'verify' : 'edit'
  return isCheck ? 'verify' : 'explore'
}

function writesIn(script: string): boolean {
  return writes.test(script) || redirects.test(withoutQuotes(script))
}

/** Without `cd … &&` and variables at its beginning; the last lines of a long script, with its redirections. */
function withoutPlaces(command: string): string {
  const lines = command.trim().split('\n')
  const isHeredoc = /<<-?\s*['"]?\w/.test(lines[0] ?? '')
  const read = lines.length > 12 && !isHeredoc ? lines.slice(-lastLines).join('\n') : command
  return read.replace(/^(\s*(cd\s+[^&;|]+(&&|;)|\w+=\S+\s+|export\s+\S+\s*(&&|;)))+/, '').trim()
}

function withoutQuotes(script: string): string {
  return script.replace(/'[^']*'|"[^"]*"/g, 'text')
}

/** Without the lines of a heredoc, which are the text of a file. */
function withoutTexts(script: string): string {
  return script.replace(/<<-?\s*['"]?(\w+)['"]?([^\n]*)\n[\s\S]*?\n\1\b/g, '$2')
}

const markOf = [
  ['failed', /\b[1-9]\d* (failed|failing)\b|FAILED \(|AssertionError|^not ok|error TS\d+/m],
  ['passed', /\b\d+ (passed|passing)\b|^OK\b|\b0 failures\b/m],
] as const
const errors =
  /^\s*(Traceback|fatal:|Error\b|error:)|^(Exit code:?|Process exited with code) [1-9]/m

/** The marks of a tool's result. @param text  its beginning and end are enough */
export function marksOf(text: string, isError: boolean): ('error' | 'failed' | 'passed')[] {
  const marks = markOf.filter(([, pattern]) => pattern.test(text)).map(([mark]) => mark)
  const told = marks.includes('failed') ? marks.filter((mark) => mark === 'failed') : marks
  return isError || errors.test(text.slice(0, 400)) ? ['error', ...told] : told
}
