import type { AnswersById } from './answers.ts'
import { chatWritingAnswers } from './chat-writing.ts'
import { codeQuestionAnswers } from './code-questions.ts'
import { codeTaskAnswers } from './code-tasks.ts'
import { extractionAnswers } from './extraction.ts'
import { hardCodeTaskAnswers } from './hard-code-tasks.ts'
import { humanitiesAnswers } from './humanities.ts'
import { lawBusinessAnswers } from './law-business.ts'
import { mathsAnswers } from './maths.ts'
import { otherAnswers } from './other.ts'
import { scienceAnswers } from './science.ts'

/** Sample answers to all prompts of the starter set. */
export const starterAnswers: AnswersById = {
  ...chatWritingAnswers,
  ...codeQuestionAnswers,
  ...codeTaskAnswers,
  ...hardCodeTaskAnswers,
  ...mathsAnswers,
  ...scienceAnswers,
  ...lawBusinessAnswers,
  ...humanitiesAnswers,
  ...extractionAnswers,
  ...otherAnswers,
}
