import type { Turn } from '../../../../shared/conversation-turns.ts'
import type { ConversationMessage, Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { splitAnswers } from '../../stores/answers.ts'
import { askAgain, keepAnswer } from '../../stores/chat.ts'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { useChatModels } from '../../stores/models.ts'
import { AnotherModel } from './another-model.tsx'
import { Answer } from './message.tsx'

interface AnswersProps {
  turn: Turn
  conversation: string
  router: Router
  /** Only the last question can be sent again. */
  isLast: boolean
  /** Sends the question again; null unless this is the last one. */
  onRetry: (() => void) | null
}

/** The kept answer to a question, or several answers to compare. */
export function Answers({ turn, conversation, router, isLast, onRetry }: AnswersProps) {
  const { shown, setAside } = splitAnswers(turn)
  const others = useChatModels(router.models)
  const isArriving = useLiveAnswers((live) => shown.some(({ id }) => id in live))
  const keep = (answer: ConversationMessage) => void keepAnswer(conversation, answer)
  const [only] = shown
  return (
    <>
      {shown.length > 1 ? (
        <Comparison answers={shown} isArriving={isArriving} onKeep={keep} />
      ) : (
        only && (
          <Answer
            message={only}
            onRetry={onRetry}
            actions={
              isLast && (
                <AnotherModel
                  models={others.filter((model) => model !== only.meta?.modelUsed)}
                  onAsk={(model, isBeside) =>
                    void askAgain({ conversation, routerId: router.id, model, isBeside })
                  }
                />
              )
            }
          />
        )
      )}
      {setAside.length > 0 && !isArriving && <SetAside answers={setAside} onKeep={keep} />}
    </>
  )
}

interface ChoiceProps {
  answers: readonly ConversationMessage[]
  onKeep: (answer: ConversationMessage) => void
}

/** Answers side by side, if the window is wide enough. */
function Comparison({ answers, isArriving, onKeep }: ChoiceProps & { isArriving: boolean }) {
  return (
    <section aria-label="Answers to compare" className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Pick the better answer to continue with. Feedback affects only routers with the Adaptive
        strategy.
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-3">
        {answers.map((answer) => (
          <div
            key={answer.id}
            className="flex min-w-0 flex-col justify-between gap-3 rounded-xl border border-line p-4"
          >
            <Answer message={answer} onRetry={null} />
            {!isArriving && answer.state !== 'failed' && (
              <Button size="small" className="self-start" onClick={() => onKeep(answer)}>
                Keep this answer
              </Button>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

/** Answers that are set aside. */
function SetAside({ answers, onKeep }: ChoiceProps) {
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="cursor-pointer text-sm text-muted">
        {answers.length === 1 ? '1 other answer' : `${answers.length} other answers`}
      </summary>
      <div className="mt-3 flex flex-col gap-5">
        {answers.map((answer) => (
          <div key={answer.id} className="flex flex-col gap-2">
            <Answer message={answer} onRetry={null} />
            {answer.state !== 'failed' && (
              <Button size="small" className="self-start" onClick={() => onKeep(answer)}>
                Keep this answer
              </Button>
            )}
          </div>
        ))}
      </div>
    </details>
  )
}
