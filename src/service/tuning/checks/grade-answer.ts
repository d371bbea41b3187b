/** Grades an answer by its prompt's check. The same answer always gets the same grade. */
import type { PromptCheck } from '../../../shared/chat/prompt-check.ts'
import { gradeChoice } from './choice.ts'
import { gradeCode } from './code.ts'
import { gradeExact } from './exact.ts'
import { gradeFacts } from './facts.ts'
import { wrong, type Grade } from './grade.ts'
import { compileSchema, gradeJson } from './json-answer.ts'
import { gradeNumber } from './number.ts'

/** Most characters of an answer that is read: no check expects a longer one. */
const longestAnswer = 100_000

/**
 * Grades an answer. Code in it is untrusted and runs only in the sandbox, for the check `tests`.
 * @throws Error for a check that {@link problemOfCheck} refuses
 */
export async function gradeAnswer(check: PromptCheck, answer: string): Promise<Grade> {
  const text = withoutReasoning(answer)
  if (text.trim() === '') return wrong('The answer is empty.')
  if (text.length > longestAnswer) {
    return wrong(`The answer is longer than ${longestAnswer} characters.`)
  }
  switch (check.type) {
    case 'number':
      return gradeNumber(check, text)
    case 'choice':
      return gradeChoice(check, text)
    case 'json_schema':
      return gradeJson(check, text)
    case 'facts':
      return gradeFacts(check, text)
    case 'exact':
      return gradeExact(check, text)
    case 'tests':
      return gradeCode(check, text)
  }
}

/** Why a check cannot grade anything, in words for its author; null if it can. Checks of prompt files need this. */
export function problemOfCheck(check: PromptCheck): string | null {
  if (check.type !== 'json_schema') return null
  try {
    compileSchema(check)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'the schema cannot be read'
  }
}

/** The answer without reasoning, which some models put into the content, within think tags. */
function withoutReasoning(answer: string): string {
  const end = answer.lastIndexOf('</think>')
  if (end !== -1) return answer.slice(end + '</think>'.length)
  return answer.trimStart().startsWith('<think>') ? '' : answer
}
