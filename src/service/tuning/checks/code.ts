import { isDeepStrictEqual } from 'node:util'
import type { CheckOfType } from '../../../shared/chat/prompt-check.ts'
import { codeBlocks } from './final-answer.ts'
import { quote, right, wrong, type Grade } from './grade.ts'
import { runInSandbox, type CaseResult } from './sandbox.ts'

type TestsCheck = CheckOfType<'tests'>

/**
 * Runs the answer's code on every case. The expected values never enter the sandbox and are compared outside it, so
 * code cannot report its own success.
 */
export async function gradeCode({ entry, cases }: TestsCheck, answer: string): Promise<Grade> {
  const code = codeDefining(entry, answer)
  if (code === null) return wrong(`The answer does not define ${entry}.`)
  const outcome = await runInSandbox({ code, entry, runs: cases.map(({ run }) => run) })
  if (outcome.kind === 'failed') return wrong(outcome.problem)
  const problems = cases.map((each, index) => problemOf(each, outcome.results[index]))
  const failed = problems.filter((problem) => problem !== null)
  const [first] = failed
  if (first === undefined) return right(`All ${cases.length} tests pass.`)
  return wrong(`${failed.length} of ${cases.length} tests fail: ${first}`)
}

function problemOf(
  { run, expected }: TestsCheck['cases'][number],
  result: CaseResult | undefined,
): string | null {
  if (!result) return `${quote(run)} was not run.`
  if (result.kind === 'threw') return `${quote(run)} failed with ${quote(result.message)}.`
  if (result.json === null) return `${quote(run)} gave no value.`
  // JSON from the sandbox, parsed here: the value has no code and none of the sandbox's prototypes.
  if (isDeepStrictEqual(JSON.parse(result.json), expected)) return null
  return `${quote(run)} gave ${quote(result.json)}.`
}

/** The last code block that defines the entry; the whole answer if it has no code block. Null if none defines it. */
function codeDefining(entry: string, answer: string): string | null {
  const blocks = codeBlocks(answer).map(({ text }) => text)
  const sources = blocks.length > 0 ? blocks : [answer]
  const name = entry.replaceAll('$', String.raw`\$`)
  const definition = new RegExp(
    String.raw`(?:(?:function\s*\*?|class|const|let|var)\s+|exports\.|^[ \t]*)${name}(?![\w$])(?!\s*[.([])`,
    'm',
  )
  const functionDefinition = new RegExp(String.raw`function\s*\*?\s*${name}\s*\(`)
  const source = sources.findLast((text) => definition.test(text) || functionDefinition.test(text))
  return source === undefined ? null : withoutExports(source)
}

/** The sandbox runs a script, in which `export` is a syntax error. */
function withoutExports(code: string): string {
  return code
    .replace(
      /^[ \t]*export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)/gm,
      '',
    )
    .replace(/^[ \t]*export\s+(?:default\s+[\w$]+|\{[^}]*\})[ \t]*;?[ \t]*$/gm, '')
}
