/**
 * What the tasks of coding agents were read as: a turn has many requests and one task. In memory only, for the last
 * 2,000 agents, at most 2 kB each; nothing of a text is kept but its hash.
 */
import { hash } from 'node:crypto'
import type { ExplainedReading } from '../../routing/candidate.ts'
import type { PromptText } from '../../routing/prompt/prompt-features.ts'

const maxAgents = 2_000
/** What a reading depends on, see `prompt-features.ts`. */
const headCharacters = 4_000
const tailCharacters = 2_000
const systemCharacters = 500

interface TaskReading {
  task: string
  reading: ExplainedReading
}

export class TaskReadings {
  /** Readings by the agent's conversation, the least recent first. */
  readonly #readings = new Map<string, TaskReading>()

  /**
   * The reading of the agent's task; of its last one, if the request has no text that can be read. Null where none had:
   * a task that Codex delegates is encrypted, and may be hard.
   */
  of(
    identity: string,
    text: PromptText,
    read: (text: PromptText) => ExplainedReading,
  ): ExplainedReading | null {
    const last = this.#readings.get(identity)
    if (text.lastUser === '') return last?.reading ?? null
    const task = hashOf(text)
    if (last?.task === task) return last.reading
    const reading = read(text)
    this.#keep(identity, { task, reading })
    return reading
  }

  #keep(identity: string, reading: TaskReading): void {
    this.#readings.delete(identity)
    this.#readings.set(identity, reading)
    if (this.#readings.size <= maxAgents) return
    for (const [oldest] of this.#readings) {
      this.#readings.delete(oldest)
      return
    }
  }
}

function hashOf({ lastUser, system }: PromptText): string {
  const head = lastUser.slice(0, headCharacters)
  const tail = lastUser.slice(-tailCharacters)
  const parts = [lastUser.length, head, tail, system.slice(0, systemCharacters)]
  return hash('sha256', parts.join('\n'), 'base64url')
}
