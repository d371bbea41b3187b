import { Link, useNavigate } from '@tanstack/react-router'
import { Code, Languages, Sigma, Table2 } from 'lucide-react'
import type { Router } from '../../../../shared/entities.ts'
import type { LocalModelInfo } from '../../../../shared/models/local-models.ts'
import { builtInProvider } from '../../../../shared/models/provider-type.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Note } from '../../components/error-note.tsx'
import { LocalModelCard } from '../../components/local-model-card.tsx'
import { useApp } from '../../stores/app.ts'
import { newConversation, setDraft, useChat } from '../../stores/chat.ts'
import { useFolders } from '../../stores/folders.ts'
import { startFrom, usePresets } from '../../stores/instructions.ts'
import { isDemoRouter } from '../../stores/last-answer.ts'
import { useLocalModels } from '../../stores/local-models.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'
import { instructionsWords } from './instructions-words.ts'
import { focusMessageField } from './focus-message-field.ts'

const examples = [
  {
    icon: Code,
    title: t('Write a function'),
    prompt: t('Write a TypeScript function that parses ISO 8601 durations such as PT1H30M.'),
  },
  {
    icon: Table2,
    title: t('Compare options'),
    prompt: t('Compare SQLite, PostgreSQL and DuckDB in a table: best use, limits, backups.'),
  },
  {
    icon: Sigma,
    title: t('Explain some mathematics'),
    prompt: t('Explain Bayes’ theorem with its formula and one example in numbers.'),
  },
  {
    icon: Languages,
    title: t('Translate a text'),
    prompt: t('Translate into French and German: “The meeting moves to Thursday at nine.”'),
  },
] as const

/** Asks the user to write a message, or to install the built-in model when the router has no other model. */
export function NewConversation({ router }: { router: Router }) {
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
          {rich('{name} has no available model yet. Choose one of these options:', {
            name: router.name,
          })}
        </p>
        <LocalModelCard
          onAddProvider={() => void navigate({ to: '/models', search: { view: 'providers' } })}
        />
      </div>
    )
  }
  return <Examples router={router} />
}

function Examples({ router }: { router: Router }) {
  const { label } = strategyProfiles[router.strategy]
  const count = router.models.length
  const folderId = useChat((state) => state.newFolderId)
  const folder = useFolders(({ items }) => items?.find(({ id }) => id === folderId))
  return (
    <section aria-label={t('Examples')} className="@container my-auto flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        {folder && (
          <p className="text-xs font-medium text-muted">
            {t('In the folder “{name}”', { name: folder.name })}
          </p>
        )}
        <h2 className="text-lg font-semibold tracking-tight">
          {t('What would you like to know?')}
        </h2>
        <p className="text-sm text-muted">
          {rich(
            '{name} chooses from {count, plural, one {1 model} other {# models}} ({strategy}). Each answer shows its model, cost, time and estimated CO₂e.',
            {
              name: router.name,
              count,
              strategy: label,
            },
          )}
        </p>
      </div>
      <Presets />
      {isDemoRouter(router) && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">
            {t('This router has only the demo model, whose answers are often wrong.')}
          </span>
          <Link
            to="/models"
            search={{ view: 'providers', add: 'any' }}
            className={buttonClass('primary', 'small')}
          >
            {t('Add provider')}
          </Link>
        </Note>
      )}
      <ul className="grid gap-2 @min-[32rem]:grid-cols-2">
        {examples.map(({ icon: Icon, title, prompt }) => (
          <li key={title} className="flex">
            <button
              type="button"
              onClick={() => start(prompt)}
              className="flex w-full gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 text-left hover:bg-hover"
            >
              <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="text-sm font-medium">{title}</span>
                <span className="line-clamp-2 text-xs text-muted">{prompt}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Presets that the conversation can start from. */
function Presets() {
  const presets = usePresets(({ items }) => items) ?? []
  if (presets.length === 0) return null
  return (
    <ul aria-label={t('Presets')} className="flex flex-wrap gap-2">
      {presets.map((preset) => (
        <li key={preset.id}>
          <Button
            size="small"
            title={instructionsWords(preset).slice(0, 1000)}
            onClick={() => {
              startFrom(preset)
              focusMessageField()?.focus()
            }}
          >
            {preset.name}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Writes the example into the composer, so that nothing is spent before the user sends it. */
function start(prompt: string): void {
  setDraft(newConversation, prompt)
  focusMessageField()?.focus()
}

/** Whether one of the router's models was downloaded or added by the user. */
function hasInstalled(router: Router, models: readonly LocalModelInfo[]): boolean {
  return models.some(
    ({ name, state }) =>
      state.kind === 'installed' && router.models.includes(`${builtInProvider.id}:${name}`),
  )
}
