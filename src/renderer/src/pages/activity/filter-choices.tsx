import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { requestEnds } from '../../../../shared/requests/search.ts'
import { strategyNames } from '../../../../shared/routers/strategy-names.ts'
import type { UsageGroup } from '../../../../shared/requests/usage.ts'
import { useNow } from '../../components/use-now.ts'
import { useConversations } from '../../stores/chat.ts'
import { useKeys } from '../../stores/keys.ts'
import { useProviders } from '../../stores/providers.ts'
import { useReport } from '../../stores/reports.ts'
import { useRouters } from '../../stores/routers.ts'
import { decisionWords, endWords, sourceWords } from '../../usage/request-words.ts'
import type { FilterName } from './filter-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface Choice {
  value: string
  label: string
}

interface FilterChoicesProps {
  name: FilterName
  /** The value in force. */
  value: string | undefined
  onChoose: (value: string) => void
  /** Opens the form for a text or two dates. */
  onType: () => void
}

/** The entries of the menu for one part of the filter. */
export function FilterChoices({ name, value, onChoose, onType }: FilterChoicesProps) {
  const choices = useChoices(name)
  return (
    <>
      {choices.map((choice) => (
        <Menu.Item
          key={choice.value}
          label={choice.label}
          onClick={() => onChoose(choice.value)}
          className={itemClass}
        >
          <Check
            size={14}
            aria-hidden
            className={`shrink-0 text-accent ${choice.value === value ? '' : 'invisible'}`}
          />
          <span className="truncate">{choice.label}</span>
          {choice.value === value && <span className="sr-only">{t('(chosen)')}</span>}
        </Menu.Item>
      ))}
      {(isTyped(name) || choices.length === 0) && (
        <Menu.Item onClick={onType} className={itemClass}>
          <span className="w-3.5 shrink-0" />
          {name === 'time' ? t('Custom range…') : t('Enter text…')}
        </Menu.Item>
      )}
    </>
  )
}

export const itemClass =
  'flex items-center gap-2 rounded-md px-2 py-1.5 text-sm data-highlighted:bg-hover'

/** Whether a value can be typed that is in no list. */
function isTyped(name: FilterName): boolean {
  return name === 'time' || name === 'client' || name === 'executionId' || name === 'findingId'
}

const dayMs = 86_400_000

/** The models or tags of the whole ledger; null asks nothing. */
function useLedgerNames(group: Extract<UsageGroup, 'model' | 'tag'> | null): Choice[] {
  // The same query all day.
  const toMs = Math.ceil(useNow() / dayMs) * dayMs
  const { report } = useReport(group && { fromMs: 0, toMs, bucketMs: toMs, group })
  const names = report?.groups.map((each) => each.name) ?? []
  return names.filter((each) => each !== '').map(same)
}

function useChoices(name: FilterName): readonly Choice[] {
  const routers = useRouters((state) => state.items) ?? []
  const keys = useKeys((state) => state.items) ?? []
  const providers = useProviders((state) => state.items) ?? []
  const conversations = useConversations((state) => state.items) ?? []
  const ledgerNames = useLedgerNames(name === 'model' || name === 'tag' ? name : null)
  switch (name) {
    case 'routerId':
      return routers.map(named)
    case 'apiKeyId':
      return [...keys.map(named), { value: '', label: t('Without a key') }]
    case 'conversationId':
      return conversations.map(({ id, title }) => ({ value: id, label: title }))
    case 'providerId':
      return providers.map(({ id }) => same(id))
    case 'model':
    case 'tag':
      return ledgerNames
    default:
      return fixedChoices[name]
  }
}

type ListedName = 'conversationId' | 'routerId' | 'apiKeyId' | 'providerId' | 'model' | 'tag'

const fixedChoices: Readonly<Record<Exclude<FilterName, ListedName>, readonly Choice[]>> = {
  time: [],
  end: requestEnds.map((end) => ({ value: end, label: endWords[end] })),
  decision: [...strategyNames, 'pinned' as const].map((decision) => ({
    value: decision,
    label: decisionWords(decision),
  })),
  source: Object.entries(sourceWords).map(([value, label]) => ({ value, label })),
  client: [],
  executionId: [],
  findingId: [],
  text: [],
}

function named({ id, name }: { id: string; name: string }): Choice {
  return { value: id, label: name }
}

function same(name: string): Choice {
  return { value: name, label: name }
}
