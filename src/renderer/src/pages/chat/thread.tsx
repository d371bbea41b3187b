import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, MessageSquareText } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ConversationMessage, Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { LocalModelCard } from '../../components/local-model-card.tsx'
import { EmptyState } from '../../components/page.tsx'
import { turnsOf, type Turn } from '../../stores/answers.ts'
import { useApp } from '../../stores/app.ts'
import {
  newConversation,
  openConversation,
  sendMessage,
  useChat,
  type Thread as ThreadState,
} from '../../stores/chat.ts'
import { strategyProfiles } from '../../../../shared/strategies.ts'
import { Answers } from './answers.tsx'
import { Question } from './message.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'

/** How many messages are drawn at first, and how many more each time. */
const messagesAtOnce = 60

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
          {!messages && !error && <Beginning conversation={conversation} router={router} />}
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
          <ArrowDown size={14} aria-hidden /> To the end
        </Button>
      )}
    </div>
  )
}

function Beginning({ conversation, router }: { conversation: string; router: Router }) {
  if (conversation !== newConversation) {
    return <p className="text-sm text-muted">Reading the messages…</p>
  }
  return <Invitation router={router} />
}

/** What to do first: write, or give the only model this router has its file. */
function Invitation({ router }: { router: Router }) {
  const status = useApp((state) => state.state?.localModel.status)
  const navigate = useNavigate()
  const isNeeded = router.models.every((model) => model.startsWith('local:'))
  const isUsable = status === undefined || ['stopped', 'loading', 'ready'].includes(status)
  if (isNeeded && !isUsable) {
    return (
      <div className="my-auto flex flex-col gap-3">
        <p className="text-sm text-muted">
          {router.name} has no model to answer with yet. There are three ways to one:
        </p>
        <LocalModelCard onAddProvider={() => void navigate({ to: '/providers' })} />
      </div>
    )
  }
  return (
    <div className="my-auto">
      <EmptyState icon={MessageSquareText} title={`${router.name} is ready`}>
        {strategyProfiles[router.strategy].description} Write a message: under each answer stands
        which model gave it, what it cost, how long it took and what it emitted.
      </EmptyState>
    </div>
  )
}

interface MessagesProps {
  messages: readonly ConversationMessage[]
  conversation: string
  router: Router
}

function Messages({ messages, conversation, router }: MessagesProps) {
  const [shown, setShown] = useState(messagesAtOnce)
  const turns = useMemo(() => turnsOf(messages.slice(-shown)), [messages, shown])
  return (
    <>
      {messages.length > shown && (
        <Button className="self-center" onClick={() => setShown(shown + messagesAtOnce)}>
          Show earlier messages
        </Button>
      )}
      {turns.map((turn, index) =>
        turn.kind === 'question' ? (
          <Question key={turn.message.id} message={turn.message} />
        ) : (
          <Answers
            key={turn.id}
            {...{ turn, conversation, router }}
            isLast={index === turns.length - 1}
            onRetry={index === turns.length - 1 ? () => retry(turns[index - 1], router) : null}
          />
        ),
      )}
    </>
  )
}

function retry(asked: Turn | undefined, router: Router): void {
  if (asked?.kind !== 'question') return
  const conversation = useChat.getState().current
  void sendMessage({ conversation, routerId: router.id, text: asked.message.text })
}
