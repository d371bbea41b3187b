import { ChartSpline, PanelLeft } from 'lucide-react'
import type { Router } from '../../../../shared/entities.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { chooseRouter, newConversation, useConversations } from '../../stores/chat.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { CompareMenu } from './compare-menu.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface ChatHeaderProps {
  conversation: string
  routers: readonly Router[]
  router: Router
  /** The routers compared with it. */
  others: readonly Router[]
  areChartsOpen: boolean
  /** Null while the router has no figures. */
  onToggleCharts: (() => void) | null
  /** Null when the list is beside the thread. */
  onShowConversations: (() => void) | null
}

/** The title, the router, and buttons for what a narrow window hides. */
export function ChatHeader(props: ChatHeaderProps) {
  const { conversation, routers, router, others, areChartsOpen } = props
  const title = useConversations(
    (state) => state.items?.find(({ id }) => id === conversation)?.title,
  )
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4 min-[80rem]:px-5">
      {props.onShowConversations && (
        <IconButton
          label={t('Show conversations')}
          aria-haspopup="dialog"
          onClick={props.onShowConversations}
          className="-ml-1.5"
        >
          <PanelLeft size={16} aria-hidden />
        </IconButton>
      )}
      <h1 className="min-w-0 flex-1 truncate font-semibold">
        {conversation === newConversation ? t('New conversation') : (title ?? t('Conversation'))}
      </h1>
      <div className="w-36 shrink-0 min-[80rem]:w-44">
        <Select
          label={t('Router')}
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
      <CompareMenu {...{ conversation, router, others, routers }} />
      {props.onToggleCharts && (
        <Button
          look="quiet"
          data-chat-control="charts"
          aria-pressed={areChartsOpen}
          onClick={props.onToggleCharts}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          <ChartSpline size={15} aria-hidden />
          <span className="sr-only min-[70rem]:not-sr-only">{t('Charts')}</span>
        </Button>
      )}
    </header>
  )
}
