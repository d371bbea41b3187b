import { Link } from '@tanstack/react-router'
import { ChartSpline, Split } from 'lucide-react'
import type { Router } from '../../../../shared/entities.ts'
import { RouterCharts } from '../../charts/router-charts.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import {
  chooseRouter,
  newConversation,
  routerOf,
  useChat,
  useConversations,
} from '../../stores/chat.ts'
import { useRouters } from '../../stores/routers.ts'
import { strategyProfiles } from '../../../../shared/strategies.ts'
import { Composer } from './composer.tsx'
import { ConversationList } from './conversation-list.tsx'
import { Thread } from './thread.tsx'

/** The conversations, one thread, and the charts of its router. */
export function ChatPage() {
  const routers = useRouters()
  return (
    <div className="flex h-full min-w-0">
      <ConversationList />
      {routers.items && routers.items.length > 0 ? (
        <Conversation routers={routers.items} />
      ) : (
        <main className="flex-1 p-8">
          <h1 className="sr-only">Chat</h1>
          <Loaded list={routers} what="routers">
            {() => (
              <EmptyState
                icon={Split}
                title="Create a router to start chatting"
                action={
                  <Link to="/routers/new" className={buttonClass('primary')}>
                    Create router
                  </Link>
                }
              >
                A router is a set of models with a strategy that chooses one of them for each
                message.
              </EmptyState>
            )}
          </Loaded>
        </main>
      )}
    </div>
  )
}

function Conversation({ routers }: { routers: readonly Router[] }) {
  const conversation = useChat((state) => state.current)
  const routerChoices = useChat((state) => state.routerChoices)
  const areChartsShown = useChat((state) => state.areChartsShown)
  const title = useConversations(
    (state) => state.items?.find(({ id }) => id === conversation)?.title,
  )
  const routerIds = routers.map(({ id }) => id)
  const router = routers.find(
    ({ id }) => id === routerOf(conversation, routerIds, { routerChoices }),
  )
  if (!router) return null
  return (
    <>
      <main className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-5">
          <h1 className="min-w-0 flex-1 truncate font-semibold">
            {conversation === newConversation ? 'New conversation' : (title ?? 'Conversation')}
          </h1>
          <div className="w-36 min-[80rem]:w-44">
            <Select
              label="Router"
              isLabelHidden
              choices={routers.map(({ id, name, strategy }) => ({
                value: id,
                label: name,
                hint: strategyProfiles[strategy].label,
              }))}
              value={router.id}
              onChange={(id) => chooseRouter(conversation, id)}
            />
          </div>
          <Button
            look="quiet"
            aria-pressed={areChartsShown}
            onClick={() => useChat.setState({ areChartsShown: !areChartsShown })}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          >
            <ChartSpline size={15} aria-hidden />
            <span className="sr-only min-[70rem]:not-sr-only">Charts</span>
          </Button>
        </header>
        <Thread key={conversation} conversation={conversation} router={router} />
        <Composer conversation={conversation} router={router} />
      </main>
      {areChartsShown && (
        <aside
          aria-label={`Charts of ${router.name}`}
          className="w-72 shrink-0 overflow-y-auto border-l border-line bg-surface min-[80rem]:w-80"
        >
          <h2 className="flex h-14 items-center truncate border-b border-line px-4 text-sm font-semibold">
            {router.name} over time
          </h2>
          <RouterCharts key={router.id} router={router} />
        </aside>
      )}
    </>
  )
}
