import type { Turn } from '../../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage, Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { splitAnswers } from '../../stores/answers.ts'
import { askAgain, continueAnswer, keepAnswer } from '../../stores/chat.ts'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { useChatModels } from '../../stores/models.ts'
import { AnotherModel } from './another-model.tsx'
import { Comparison } from './comparison.tsx'
import { Answer, type AnswerRepairs } from './message.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface AnswersProps {
  turn: Turn
  conversation: string
  router: Router
  /** Only the last question can be sent again. */
  isLast: boolean
}

/** The kept answer to a question, or several answers to compare. */
export function Answers({ turn, conversation, router, isLast }: AnswersProps) {
  const { shown, setAside } = splitAnswers(turn)
  const models = useChatModels(router.models)
  const isArriving = useLiveAnswers((live) => shown.some(({ id }) => id in live))
  const keep = (answer: ConversationMessage) => void keepAnswer(conversation, answer)
  const [only] = shown
  // Attempts without any text are of no use later.
  const others = setAside.filter(({ text }) => text !== '')

  function ask(model: string | null, isBeside: boolean): void {
    void askAgain({ conversation, routerId: router.id, model, isBeside })
  }

  function repairsOf(answer: ConversationMessage): AnswerRepairs {
    const isContinuable = answer.text !== '' && answer.agentMeta === null
    return {
      routerId: answer.routerId ?? router.id,
      onRetry: () => ask(null, false),
      onContinue: isContinuable ? () => void continueAnswer(conversation, router.id) : null,
      otherModels: <AnotherModel isWorded models={without(models, answer)} onAsk={ask} />,
    }
  }

  return (
    <>
      {shown.length > 1 ? (
        <Comparison answers={shown} isArriving={isArriving} onKeep={keep} />
      ) : (
        only && (
          <Answer
            message={only}
            repairs={isLast ? repairsOf(only) : null}
            actions={isLast && <AnotherModel models={without(models, only)} onAsk={ask} />}
          />
        )
      )}
      {others.length > 0 && !isArriving && <SetAside answers={others} onKeep={keep} />}
    </>
  )
}

function without(models: readonly string[], { meta }: ConversationMessage): string[] {
  return models.filter((model) => model !== meta?.modelUsed)
}

interface SetAsideProps {
  answers: readonly ConversationMessage[]
  onKeep: (answer: ConversationMessage) => void
}

/** Answers that are set aside. */
function SetAside({ answers, onKeep }: SetAsideProps) {
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="text-sm text-muted">
        {t('{count, plural, one {1 other answer} other {# other answers}}', {
          count: answers.length,
        })}
      </summary>
      <div className="mt-3 flex flex-col gap-5">
        {answers.map((answer) => (
          <div key={answer.id} className="flex flex-col gap-2">
            <Answer message={answer} repairs={null} />
            {answer.state !== 'failed' && (
              <Button size="small" className="self-start" onClick={() => onKeep(answer)}>
                {t('Keep this answer')}
              </Button>
            )}
          </div>
        ))}
      </div>
    </details>
  )
}
