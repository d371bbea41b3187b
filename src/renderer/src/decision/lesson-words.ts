import type { Lesson } from '../../../shared/chat/feedback.ts'
import { t } from '../../../shared/strings/strings.ts'
import { domainLabels } from './domain-labels.ts'

/** What the person's judgements say of a model now: `Code: you liked 4 of 5 answers of openai:gpt-5.4`. */
export function lessonWords({ modelId, domain, judged, good }: Lesson): string {
  const words = t(
    'you liked {good} of {judged, plural, one {# answer} other {# answers}} of {model}',
    { good, judged, model: modelId },
  )
  return domain === 'other' ? words : t('{kind}: {words}', { kind: domainLabels[domain], words })
}
