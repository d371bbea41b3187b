import { Skeleton } from '../../components/page.tsx'
import { ArrowDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isUnsaid } from '../../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import {
  newConversation,
  openConversation,
  useChat,
  type Thread as ThreadState,
} from '../../stores/chat.ts'
import { useFoundMessage } from '../../stores/found-message.ts'
import { threadTurns } from '../../stores/answers.ts'
import { Answers } from './answers.tsx'
import { NewConversation } from './new-conversation.tsx'
import { Question } from './question.tsx'
import { useIsComparing } from './use-is-comparing.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** How many turns are shown at first, and how many more with each click. */
const turnsAtOnce = 20
/** How many of them a frame draws: more would hold it up. */
const turnsOfFrame = 2

const emptyThread: ThreadState = { messages: null, error: null }

/** The messages of one conversation. */
export function Thread({ conversation, router }: { conversation: string; router: Router }) {
  const { messages, error } = useChat((state) => state.threads[conversation] ?? emptyThread)
  const isComparing = useIsComparing(conversation)
  const count = messages?.length ?? 0
  const { scroller, content, isAtEnd, jumpToEnd, showPlace } = useStickToEnd(count, isComparing)

  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scroller} className="h-full overflow-y-auto" tabIndex={-1}>
        <div
          ref={content}
          role="log"
          aria-label={t('Messages')}
          aria-live="off"
          className={`mx-auto flex min-h-full flex-col gap-6 px-4 py-6 min-[80rem]:px-6 ${isComparing ? 'max-w-6xl' : 'max-w-3xl'}`}
        >
          {messages && <Messages {...{ messages, conversation, router, showPlace }} />}
          {!messages && !error && <EmptyThread conversation={conversation} router={router} />}
          {error && (
            <ErrorNote error={error}>
              {conversation !== newConversation && !messages && (
                <Button size="small" onClick={() => void openConversation(conversation)}>
                  {t('Try again')}
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
          <ArrowDown size={14} aria-hidden /> {t('Scroll to end')}
        </Button>
      )}
    </div>
  )
}

function EmptyThread({ conversation, router }: { conversation: string; router: Router }) {
  if (conversation !== newConversation) {
    return <Skeleton>{t('Loading messages…')}</Skeleton>
  }
  return <NewConversation router={router} />
}

interface MessagesProps {
  messages: readonly ConversationMessage[]
  conversation: string
  router: Router
  /** Scrolls to the message that a search opened. */
  showPlace: (place: Element) => void
}

function Messages({ messages, conversation, router, showPlace }: MessagesProps) {
  const turns = threadTurns(messages)
  const [wanted, setWanted] = useState(turnsAtOnce)
  const [shown, setShown] = useState(turnsOfFrame)
  const [known, setKnown] = useState(turns)
  if (known.length !== turns.length) {
    setKnown(turns)
    // The turns that are shown stay when another branch is longer or shorter. The rest of a conversation comes before them.
    const added = known[0]?.question.id === turns[0]?.question.id ? turns.length - known.length : 0
    setShown(Math.min(Math.max(shown + added, turnsOfFrame), wanted))
  }
  useEffect(() => {
    if (shown >= Math.min(wanted, turns.length)) return
    const frame = requestAnimationFrame(() => setShown(shown + turnsOfFrame))
    return () => cancelAnimationFrame(frame)
  }, [shown, wanted, turns.length])
  const last = turns.at(-1)
  const foundId = useFoundMessage(({ id }) => id)
  const foundAt =
    foundId === null
      ? -1
      : turns.findIndex(({ question, answers }) =>
          [question, ...answers].some(({ id }) => id === foundId),
        )
  if (foundAt !== -1 && shown < turns.length - foundAt) {
    setShown(turns.length - foundAt)
    setWanted(Math.max(wanted, turns.length - foundAt))
  }
  useEffect(() => {
    if (foundAt === -1) return
    const found = document.querySelector<HTMLElement>(`[data-message="${foundId}"]`)
    if (found) showPlace(found)
    found?.focus({ preventScroll: true })
    useFoundMessage.setState({ id: null })
  }, [foundAt, foundId, showPlace])
  return (
    <>
      {turns.length > wanted && (
        <Button className="self-center" onClick={() => setWanted(wanted + turnsAtOnce)}>
          {t('Show earlier messages')}
        </Button>
      )}
      {turns.slice(-shown).map((turn) => (
        <div key={turn.question.id} className="turn flex flex-col gap-6">
          <Question turn={turn} conversation={conversation} routerId={router.id} />
          {turn.answers.length > 0 && (
            <Answers
              {...{ turn, conversation, router }}
              isLast={turn === last && !isUnsaid(turn.question)}
            />
          )}
        </div>
      ))}
    </>
  )
}
