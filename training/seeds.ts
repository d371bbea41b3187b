/**
 * Prompts that the public sets have hardly any of, written for the training of the topic head: chats,
 * edits of code, texts to extract from. One a line, `\n` in it is a line break. The graded prompts about
 * code add code that is asked for in one sentence, which the head would read as writing.
 */
import type { Topic } from '../src/shared/routers/topics.ts'
import { gradedPrompts } from './graded/graded-prompts.ts'
import { codeEditing } from './seeds/code.ts'
import { conversation, writing } from './seeds/conversation.ts'
import { extraction, transformation } from './seeds/extraction.ts'
import * as forms from './seeds/forms.ts'
import * as knowledge from './seeds/knowledge.ts'

export interface Seed {
  prompt: string
  topic: Topic
}

const codeTopics: readonly Topic[] = [
  'code_editing',
  'code_writing',
  'code_tracing',
  'computer_science',
]

/** Each way to ask meets so many of the texts. */
const textsPerForm = 4

export const seeds: readonly Seed[] = [
  ...written('conversation', conversation),
  ...written('writing', writing),
  ...written('code_editing', codeEditing),
  ...written('extraction', extraction),
  ...written('transformation', transformation),
  ...written('law', knowledge.law),
  ...written('business', knowledge.business),
  ...written('economics', knowledge.economics),
  ...written('history', knowledge.history),
  ...written('philosophy', knowledge.philosophy),
  ...written('psychology', knowledge.psychology),
  ...written('trivia', knowledge.trivia),
  ...written('everyday', knowledge.everyday),
  ...combined('extraction', forms.extractionForms, forms.texts),
  ...combined('transformation', forms.transformationForms, forms.texts),
  ...combined('writing', forms.writingForms, forms.texts),
  ...combined('code_editing', forms.codeForms, forms.snippets),
  ...codeInOneLine(),
]

function codeInOneLine(): Seed[] {
  return gradedPrompts
    .filter(({ prompt, topic }) => codeTopics.includes(topic) && !prompt.includes('\n'))
    .map(({ prompt, topic }) => ({ prompt, topic }))
}

function written(topic: Topic, text: string): Seed[] {
  return linesOf(text).map((prompt) => ({ prompt, topic }))
}

function combined(topic: Topic, ways: string, about: string): Seed[] {
  const texts = linesOf(about)
  return linesOf(ways).flatMap((way, index) =>
    Array.from({ length: textsPerForm }, (_, step) => {
      const text = texts[(index * textsPerForm + step * 5) % texts.length] ?? ''
      return { prompt: way.replace('{}', () => text), topic }
    }),
  )
}

function linesOf(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(String.raw`\n`, '\n'))
}
