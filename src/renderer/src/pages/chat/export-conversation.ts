/** A conversation as a file. */
import { isUnsaid, keptAnswer, turnsOf } from '../../../../shared/chat/conversation-turns.ts'
import type { Conversation, ConversationMessage } from '../../../../shared/chat/conversations.ts'
import {
  formatBytes,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

export type ExportFormat = 'markdown' | 'json' | 'lines'

/** Of the JSON form, whose field `modelport` it is. An import reads this version. */
const formVersion = 1

interface ExportedFile {
  name: string
  type: string
  text: string
}

/** Markdown has each question with its kept answer, and so has the line for fine-tuning; JSON has everything. */
export function exportConversation(
  conversation: Conversation,
  messages: readonly ConversationMessage[],
  format: ExportFormat,
): ExportedFile {
  const name = fileName(conversation.title)
  if (format === 'json') {
    const text = JSON.stringify({ modelport: formVersion, ...conversation, messages }, null, 2)
    return { name: `${name}.json`, type: 'application/json', text: `${text}\n` }
  }
  if (format === 'lines') {
    const text = JSON.stringify(toLine(conversation, messages))
    return { name: `${name}.jsonl`, type: 'application/jsonl', text: `${text}\n` }
  }
  return { name: `${name}.md`, type: 'text/markdown', text: toMarkdown(conversation, messages) }
}

function toMarkdown({ title }: Conversation, messages: readonly ConversationMessage[]): string {
  const turns = turnsOf(messages).map(({ question, answers }) => {
    const answer = keptAnswer(answers)
    const files = question.attachments.map(({ name, bytes }) => `- ${name} (${formatBytes(bytes)})`)
    const heading = isUnsaid(question) ? '' : `## ${t('Question')}`
    const parts = [heading, files.join('\n'), question.text]
    return answer
      ? [...parts, `## ${t('Answer')}`, answer.text, sourceList(answer), ...figures(answer)]
      : parts
  })
  return `${[`# ${title}`, ...turns.flat()]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n')}\n`
}

/** The shown branch in the form of OpenAI's files for fine-tuning. */
function toLine({ title, systemPrompt }: Conversation, messages: readonly ConversationMessage[]) {
  const asked = turnsOf(messages).flatMap(({ question, answers }) => {
    const answer = keptAnswer(answers)
    return [
      ...(isUnsaid(question) ? [] : [{ role: 'user', content: question.text }]),
      ...(answer ? [{ role: 'assistant', content: answer.text }] : []),
    ]
  })
  const system = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }]
  return { title, messages: [...system, ...asked] }
}

function sourceList({ sources }: ConversationMessage): string {
  return sources.map(({ title, text }, at) => `${at + 1}. ${title} ${text}`).join('\n')
}

function figures({ meta }: ConversationMessage): string[] {
  if (!meta) return []
  const { modelUsed, costUsd, latencyMs, carbonGrams } = meta
  const words = [modelUsed, formatUsd(costUsd), formatDuration(latencyMs), formatGrams(carbonGrams)]
  return [`*${words.join(' · ')}*`]
}

/** Letters and digits of any language, with hyphens between. */
function fileName(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return words.slice(0, 60) || 'conversation'
}
