import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, MessageSquareText } from 'lucide-react'
import { Fragment, useMemo, useState } from 'react'
import { turnsOf, type Turn } from '../../../../shared/conversation-turns.ts'
import type { ConversationMessage, Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { LocalModelCard } from '../../components/local-model-card.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useApp } from '../../stores/app.ts'
import { useLocalModels } from '../../stores/local-models.ts'
import {
  newConversation,
  openConversation,
  sendMessage,
  useChat,
  type Thread as ThreadState,
} from '../../stores/chat.ts'
import type { LocalModelInfo } from '../../../../shared/local-models.ts'
import { builtInProvider } from '../../../../shared/provider-type.ts'
import { strategyProfiles } from '../../../../shared/strategies.ts'
import { Answers } from './answers.tsx'
import { Question } from './message.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'

/** How many turns are shown at first, and how many more with each click. */
const turnsAtOnce = 30

const emptyThread: ThreadState = { messages: null, error: null }

/** The messages of one conversation. */
export function Thread({ conversation, router }: { conversation: string; router: Router }) {
  const { messages, error } = useChat((state) => state.threads[conversation] ?? emptyThread)
  const { scroller, content, isAtEnd, jumpToEnd } = useStickToEnd(messages?.length ?? 0)

  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scroller} className="h-full overflow-y-auto" tabIndex={-1}>
        <div
          ref={content}
          role="log"
          aria-label="Messages"
          aria-live="off"
          className="mx-auto flex min-h-full max-w-3xl flex-col gap-6 px-6 py-6"
        >
          {messages && <Messages {...{ messages, conversation, router }} />}
          {!messages && !error && <EmptyThread conversation={conversation} router={router} />}
          {error && (
            <ErrorNote error={error}>
              {conversation !== newConversation && !messages && (
                <Button size="small" onClick={() => void openConversation(conversation)}>
                  Try again
                </Button>
              )}
            </ErrorNote>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
          onClick={jumpToEnd}
        >
          <ArrowDown size={14} aria-hidden /> Scroll to end
        </Button>
      )}
    </div>
  )
}

function EmptyThread({ conversation, router }: { conversation: string; router: Router }) {
  if (conversation !== newConversation) {
    return <p className="text-sm text-muted">Loading messages…</p>
  }
  return <NewConversation router={router} />
}

/** Asks the user to write a message, or to install the built-in model when the router has no other model. */
function NewConversation({ router }: { router: Router }) {
  const status = useApp((state) => state.state?.localModel.status)
  const hasOther = useLocalModels(({ items }) => hasInstalled(router, items ?? []))
  const navigate = useNavigate()
  const isNeeded = router.models.every((model) => model.startsWith(`${builtInProvider.id}:`))
  const isUsable =
    hasOther || status === undefined || ['stopped', 'loading', 'ready'].includes(status)
  if (isNeeded && !isUsable) {
    return (
      <div className="my-auto flex flex-col gap-3">
        <p className="text-sm text-muted">
          {router.name} has no available model yet. Choose one of these options:
        </p>
        <LocalModelCard onAddProvider={() => void navigate({ to: '/providers' })} />
      </div>
    )
  }
  return (
    <div className="my-auto">
      <EmptyState icon={MessageSquareText} title={`${router.name} is ready`}>
        {strategyProfiles[router.strategy].description} Each answer shows its model, cost, time and
        estimated CO₂e.
      </EmptyState>
    </div>
  )
}

/** Whether one of the router's models was downloaded or added by the user. */
function hasInstalled(router: Router, models: readonly LocalModelInfo[]): boolean {
  return models.some(
    ({ name, state }) =>
      state.kind === 'installed' && router.models.includes(`${builtInProvider.id}:${name}`),
  )
}

interface MessagesProps {
  messages: readonly ConversationMessage[]
  conversation: string
  router: Router
}

function Messages({ messages, conversation, router }: MessagesProps) {
  const [shown, setShown] = useState(turnsAtOnce)
  const turns = useMemo(() => turnsOf(messages), [messages])
  const last = turns.at(-1)
  return (
    <>
      {turns.length > shown && (
        <Button className="self-center" onClick={() => setShown(shown + turnsAtOnce)}>
          Show earlier messages
        </Button>
      )}
      {turns.slice(-shown).map((turn) => (
        <Fragment key={turn.question.id}>
          <Question message={turn.question} />
          {turn.answers.length > 0 && (
            <Answers
              {...{ turn, conversation, router }}
              isLast={turn === last}
              onRetry={turn === last ? () => retry(turn, router) : null}
            />
          )}
        </Fragment>
      ))}
    </>
  )
}

function retry({ question }: Turn, router: Router): void {
  const conversation = useChat.getState().current
  void sendMessage({ conversation, routerId: router.id, text: question.text })
}
