import { TrendingUp } from 'lucide-react'
import { memo, useEffect } from 'react'
import type { Turn } from '../../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import { shownAnswers } from '../../stores/answers.ts'
import { askAgain, continueAnswer, keepAnswer } from '../../stores/branches.ts'
import { loadExplained, useExplained } from '../../stores/explained.ts'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { useChatModels } from '../../stores/models.ts'
import { showToast } from '../../stores/toasts.ts'
import { lessonWords } from '../../decision/lesson-words.ts'
import { useThumbs } from '../../stores/thumbs.ts'
import { alternativesOf, type Alternative } from './alternatives.ts'
import { AnotherModel } from './another-model.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import { Button } from '../../components/button.tsx'
import { Comparison } from './comparison.tsx'
import { Answer, Outcome, type AnswerRepairs } from './message.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface AnswersProps {
  turn: Turn
  conversation: string
  router: Router
  /** Only the last question can be sent again. */
  isLast: boolean
}

/** The kept answer to a question, or several answers to compare. */
export const Answers = memo(function Answers({ turn, conversation, router, isLast }: AnswersProps) {
  const shown = shownAnswers(turn)
  const models = useChatModels(router.models)
  const isArriving = useLiveAnswers((live) => shown.some(({ id }) => id in live))
  const keep = async (answer: ConversationMessage) => {
    const lesson = await keepAnswer(conversation, answer)
    if (lesson) showToast({ text: lessonWords(lesson) })
  }
  const [only] = shown
  // Attempts without any text are of no use later.
  const siblings = turn.answers.filter((answer) => answer.text !== '' || answer === only)

  function ask(model: string | null, isBeside: boolean): void {
    void askAgain({ conversation, routerId: router.id, model, isBeside })
  }

  function repairsOf(answer: ConversationMessage): AnswerRepairs {
    const isContinuable =
      (answer.text !== '' || answer.toolSteps.length > 0) && answer.agentMeta === null
    return {
      routerId: answer.routerId ?? router.id,
      onRetry: () => ask(null, false),
      onContinue: isContinuable ? () => void continueAnswer(conversation, router.id) : null,
      otherModels: <AnotherModel isWorded models={without(models, answer)} onAsk={ask} />,
    }
  }

  if (shown.length > 1) {
    return (
      <Comparison
        {...{ conversation, isArriving }}
        answers={shown}
        onKeep={(answer) => void keep(answer)}
      />
    )
  }
  const failed = isLast ? failedAfter(only, turn) : null
  return (
    only && (
      <>
        <Answer
          message={only}
          repairs={isLast ? repairsOf(only) : null}
          versions={<BranchSwitch shown={only} {...{ conversation, siblings }} />}
          actions={isLast && <Regenerate {...{ turn, models }} answer={only} onAsk={ask} />}
        />
        {failed && <Outcome message={failed} repairs={repairsOf(failed)} />}
      </>
    )
  )
})

/** The newest answer, if it failed and an older one is shown in its place. */
function failedAfter(
  shown: ConversationMessage | undefined,
  { answers }: Turn,
): ConversationMessage | null {
  const newest = answers.at(-1)
  return newest !== undefined && newest !== shown && newest.state === 'failed' ? newest : null
}

interface RegenerateProps {
  turn: Turn
  answer: ConversationMessage
  models: readonly string[]
  onAsk: (model: string | null, isBeside: boolean) => void
}

/** Names the other models by what the router expected of them when it chose. */
function Regenerate({ turn, answer, models, onAsk }: RegenerateProps) {
  // An answer of a chosen model has no decision to compare with.
  const decided = turn.answers.findLast(({ meta }) => meta && meta.routerDecision !== 'pinned')
  const requestId = decided?.meta?.requestId ?? ''
  const explained = useExplained((known) => known[requestId])
  const others = without(models, answer)
  const ranked = explained?.kind === 'known' ? explained.request.detail.ranked : []
  const able = ranked.filter(({ model }) => models.includes(model))
  const named = alternativesOf(able, answer.meta?.modelUsed ?? '')
  const isBad = useThumbs((thumbs) => thumbs[answer.meta?.requestId ?? ''] === 'down')
  useEffect(() => {
    if (isBad && requestId !== '') void loadExplained(requestId)
  }, [isBad, requestId])
  return (
    <>
      <AnotherModel
        models={others}
        named={named}
        onOpen={() => {
          if (requestId !== '') void loadExplained(requestId)
        }}
        onAsk={onAsk}
      />
      {isBad && named.stronger && <AskStronger {...named.stronger} onAsk={onAsk} />}
    </>
  )
}

/** Offered when the answer was not good enough. */
function AskStronger({ model, change, onAsk }: Alternative & Pick<RegenerateProps, 'onAsk'>) {
  return (
    <Button size="small" onClick={() => onAsk(model, false)}>
      <TrendingUp size={13} aria-hidden /> {t('Ask {model}, {change}', { model, change })}
    </Button>
  )
}

function without(models: readonly string[], { meta }: ConversationMessage): string[] {
  return models.filter((model) => model !== meta?.modelUsed)
}
