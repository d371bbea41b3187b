/** Connects tuning runs to the request path, the stores and the events. */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CompleteChat } from '../chat/chat-call.ts'
import { createIds } from '../ids.ts'
import { gradeAnswer } from '../tuning/checks/grade-answer.ts'
import { starterPrompts, type StarterPrompt } from '../tuning/starter-prompts.ts'
import type { SourcePrompt } from '../tuning/tuning-prompt.ts'
import { createTuning, type Tuning } from '../tuning/tuning.ts'
import type { Learning } from './learning.ts'
import type { Workspace } from './workspace.ts'

export interface TuningParts {
  completeChat: CompleteChat
  learning: Pick<Learning, 'statistics'>
}

export function connectTuning(
  workspace: Workspace,
  { completeChat, learning: { statistics } }: TuningParts,
): Tuning {
  const { storage, configuration, candidatesOf, upstreams, events, log, now } = workspace
  const newId = createIds(now)
  return createTuning({
    store: storage.tuningRuns,
    shadowSamples: storage.shadowSamples,
    contents: storage.contents,
    conversations: storage.conversations,
    starterPrompts: () => starterPrompts().map(sourcePromptOf),
    gradeByCheck: async (check, answer) => (await gradeAnswer(check, answer)).score,
    judgedPrompts: storage.judgedPrompts,
    routers: () => configuration.current().routers,
    candidatesOf,
    outageOf: ({ providerId }) => upstreams.outage(providerId),
    knowledgeOf: (candidate, routerId) =>
      statistics.knowledgeOf(candidate, { routerId, isStreamed: false }),
    completeChat,
    holder: newId(),
    newId,
    newFence: () => randomBytes(12).toString('hex'),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    wait: (ms, signal) => delay(ms, undefined, { signal, ref: false }).catch(() => {}),
    now,
    onChange: (run) => events.emit('tuning', run),
    onBug: (error) => log.failed('tuning', error),
  })
}

function sourcePromptOf({ prompt, check, domain, grade }: StarterPrompt): SourcePrompt {
  const messages = [{ role: 'user' as const, content: prompt }]
  return { messages, check, reference: null, domain, grade }
}
