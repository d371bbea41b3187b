import { Link } from '@tanstack/react-router'
import { Split } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { useWidth } from '../../charts/use-width.ts'
import { buttonClass } from '../../components/button.tsx'
import { Drawer } from '../../components/drawer.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { newConversation, openConversation, routerOf, useChat } from '../../stores/chat.ts'
import { useFolders } from '../../stores/folders.ts'
import { usePresets, usePrompts } from '../../stores/instructions.ts'
import { beginNew } from '../../stores/new-conversation.ts'
import { otherRoutersOf, useRouterComparison } from '../../stores/router-comparison.ts'
import { useRouters } from '../../stores/routers.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { ChartsPanel } from './charts-panel.tsx'
import { ChatHeader } from './chat-header.tsx'
import { ComparedRouters } from './compared-routers.tsx'
import { Composer } from './composer.tsx'
import { ConversationList } from './conversation-list.tsx'
import { InstructionsLine } from './instructions-line.tsx'
import { PresetChange } from './preset-change.tsx'
import { Thread } from './thread.tsx'
import { useHasRequests } from './use-has-requests.ts'
import { useImport } from '../../stores/chat-import.ts'
import { ImportDialog } from './import-dialog.tsx'
import { useIsComparing } from './use-is-comparing.ts'
import { t } from '../../../../shared/strings/strings.ts'

// Of the page, in pixels: the rail beside it may be narrow or wide. The composer keeps 320 of them.
const listFromPx = 700
const chartsFromPx = 920
const chartsBesideTwoFromPx = 1240

/** A part of the page that a narrow window shows only when it is opened. */
type Panel = 'conversations' | 'charts'

/** The conversations, one thread, and the charts of its router. */
export function ChatPage() {
  const routers = useRouters()
  const [panel, setPanel] = useState<Panel | null>(null)
  const { container, width } = useWidth<HTMLDivElement>()
  const hasRoomForList = width >= listFromPx
  const isImporting = useImport(({ isOpen }) => isOpen)
  const close = () => setPanel(null)
  useOpenedByAddress()
  useEffect(() => {
    for (const list of [usePresets, usePrompts, useFolders]) void list.getState().load()
  }, [])
  return (
    <div ref={container} className="flex h-full min-w-0">
      {isImporting && <ImportDialog />}
      {hasRoomForList && (
        <div className="flex w-48 shrink-0 border-r border-line min-[80rem]:w-52 min-[96rem]:w-64">
          <ConversationList />
        </div>
      )}
      {!hasRoomForList && panel === 'conversations' && (
        <Drawer title={t('Conversations')} side="left" onClose={close}>
          <ConversationList onOpened={close} />
        </Drawer>
      )}
      {routers.items && routers.items.length > 0 ? (
        <Conversation routers={routers.items} {...{ width, hasRoomForList, panel, setPanel }} />
      ) : (
        <main className="flex-1 p-8">
          <h1 className="sr-only">{t('Chat')}</h1>
          <Loaded list={routers} what={t('routers')}>
            {() => (
              <EmptyState
                icon={Split}
                title={t('Create a router to start chatting')}
                action={
                  <Link to="/routers/new" className={buttonClass('primary')}>
                    {t('Create router')}
                  </Link>
                }
              >
                {t(
                  'A router is a set of models with a strategy that chooses one of them for each message.',
                )}
              </EmptyState>
            )}
          </Loaded>
        </main>
      )}
    </div>
  )
}

/** Opens the conversation that the address names, once: the quick entry leads here with it. */
function useOpenedByAddress(): void {
  const { conversation } = useAddressSearch()
  const setSearch = useSetSearch()
  useEffect(() => {
    if (conversation === undefined) return
    if (conversation === newConversation) beginNew()
    else void openConversation(conversation)
    setSearch({ conversation: undefined }, { replace: true })
  }, [conversation, setSearch])
}

interface ConversationProps {
  routers: readonly Router[]
  /** Width of the page in pixels. */
  width: number
  hasRoomForList: boolean
  panel: Panel | null
  setPanel: (panel: Panel | null) => void
}

function Conversation(props: ConversationProps) {
  const { routers, width, hasRoomForList, panel, setPanel } = props
  const conversation = useChat((state) => state.current)
  const routerChoices = useChat((state) => state.routerChoices)
  const areChartsShown = useChat((state) => state.areChartsShown)
  const chosenOthers = useRouterComparison((state) => state.others[conversation])
  const hasSeveralAnswers = useIsComparing(conversation)
  const router = routerOf(conversation, routers, { routerChoices })
  const others = router ? otherRoutersOf(chosenOthers, router.id, routers) : []
  // Two answers side by side need the width that the charts take.
  const isComparing = hasSeveralAnswers || others.length > 0
  const hasRoomForCharts = width >= (isComparing ? chartsBesideTwoFromPx : chartsFromPx)
  const hasCharts = useHasRequests(router?.id ?? null) === true
  if (!router) return null
  const areChartsOpen = hasCharts && (hasRoomForCharts ? areChartsShown : panel === 'charts')

  function toggleCharts(): void {
    if (hasRoomForCharts) useChat.setState({ areChartsShown: !areChartsShown })
    else setPanel('charts')
  }

  return (
    <>
      <main className="flex min-w-0 flex-1 flex-col">
        <ChatHeader
          {...{ conversation, routers, router, others, areChartsOpen }}
          onToggleCharts={hasCharts ? toggleCharts : null}
          onShowConversations={hasRoomForList ? null : () => setPanel('conversations')}
        />
        <InstructionsLine {...{ conversation, router }} />
        <PresetChange key={`preset-${conversation}`} {...{ conversation, routerId: router.id }} />
        <ComparedRouters {...{ conversation, router, others }} />
        <Thread key={conversation} conversation={conversation} router={router} />
        <Composer {...{ conversation, router, others }} />
      </main>
      {areChartsOpen && (
        <ChartsPanel
          key={router.id}
          conversation={conversation}
          router={router}
          isDocked={hasRoomForCharts}
          onClose={() => setPanel(null)}
        />
      )}
    </>
  )
}
