/**
 * Texts that coding agents add to those of their user. They say nothing about the task, and are often longer: without
 * this, a hundred prompts of one program look alike. Only the copy that is read for routing is changed.
 */

/** Claude Code's reminders and commands, and what Codex sends as messages of the user. */
const envelopes = [
  'system-reminder',
  'command-name',
  'command-message',
  'command-args',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'environment_context',
  'user_instructions',
  'recommended_plugins',
].map((name) => ({ from: `<${name}>`, to: `</${name}>` }))

/** Characters read at each end of a longer text: a program adds its texts there. */
const endCharacters = 32_000

/** The same text where there is nothing to take out. */
export function withoutHarness(text: string): string {
  if (text.startsWith('# AGENTS.md instructions')) return ''
  if (!text.includes('<')) return text
  const isLong = text.length > 2 * endCharacters
  const stripped = isLong
    ? withoutEnvelopes(text.slice(0, endCharacters)) +
      text.slice(endCharacters, -endCharacters) +
      withoutEnvelopes(text.slice(-endCharacters))
    : withoutEnvelopes(text)
  return stripped.length === text.length ? text : stripped.trim()
}

function withoutEnvelopes(text: string): string {
  return envelopes.reduce((rest, envelope) => withoutEnvelope(rest, envelope), text)
}

function withoutEnvelope(text: string, { from, to }: (typeof envelopes)[number]): string {
  let start = text.indexOf(from)
  if (start === -1) return text
  const kept: string[] = []
  let end = 0
  while (start !== -1) {
    const close = text.indexOf(to, start)
    // Cut off, or the words of a person.
    if (close === -1) break
    kept.push(text.slice(end, start))
    end = close + to.length
    start = text.indexOf(from, end)
  }
  kept.push(text.slice(end))
  return kept.join('')
}

/** The parts of a user's message without the files that opencode adds: a line that names its tool, then the file. */
export function writtenByPerson(texts: readonly string[]): readonly string[] {
  if (!texts.some(isToolNote)) return texts
  return texts.filter((text, place) => !isToolNote(text) && !isToolNote(texts[place - 1] ?? ''))
}

function isToolNote(text: string): boolean {
  return /^Called the \w+ tool with the following input:/.test(text)
}

/** A program's instructions without Claude Code's billing line and opencode's surroundings. */
export function ownInstructions(text: string): string {
  const isBilled = text.startsWith('x-anthropic-billing-header:')
  const rest = isBilled ? text.slice(text.indexOf('\n') + 1) : text
  return withoutEnvelope(rest, { from: '<env>', to: '</env>' })
}
