import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { useKeys } from '../../stores/keys.ts'
import { useLastAnswer } from '../../stores/last-answer.ts'
import { useLocalModels } from '../../stores/local-models.ts'
import { useProviders } from '../../stores/providers.ts'
import { useRouters } from '../../stores/routers.ts'
import { AddedDialog } from '../models/add/added-dialog.tsx'
import type { AddedProvider } from '../models/add/added-provider.ts'
import { FoundKeys } from '../models/found-keys.tsx'
import { FirstProvider } from './first-provider.tsx'
import { setupSteps, type SetupStep } from './setup-steps.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** What is still to set up, until everything is. @param hasRequests  in the ledger; null until known */
export function SetupCard({ hasRequests }: { hasRequests: boolean | null }) {
  /** Outside the list of steps, which is shorter as soon as the provider is there. */
  const [added, setAdded] = useState<AddedProvider | null>(null)
  return (
    <>
      <Steps hasRequests={hasRequests} onAdded={setAdded} />
      {added && <AddedDialog added={added} onClose={() => setAdded(null)} />}
    </>
  )
}

interface StepsProps {
  hasRequests: boolean | null
  onAdded: (added: AddedProvider) => void
}

function Steps({ hasRequests, onAdded }: StepsProps) {
  const localModels = useLocalModels((state) => state.items)
  const providers = useProviders((state) => state.items)
  const routers = useRouters((state) => state.items)
  const keys = useKeys((state) => state.items)
  const hasAnswer = useLastAnswer((last) => last.hasAnswer)
  if (!localModels || !providers || !routers || !keys) return null
  if (hasAnswer === null || hasRequests === null) return null
  const steps = setupSteps({ providers, localModels, routers, keys, hasAnswer })
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const next = steps.find(({ isDone }) => !isDone)
  // After the first request, the figures matter more than what is done.
  const shown = hasRequests ? steps.filter(({ isDone }) => !isDone) : steps
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="font-semibold">{t('Set up Modelport')}</h2>
        <span className="text-xs text-muted tabular-nums">
          {rich('{done} of {count} done', { done, count: steps.length })}
        </span>
      </div>
      {!steps[0]?.isDone && <FoundKeys onAdded={onAdded} className="border-b border-line pb-1" />}
      <ol className={`grid gap-x-6 gap-y-1 ${shown.length > 1 ? 'min-[60rem]:grid-cols-2' : ''}`}>
        {shown.map((step) => (
          <Step key={step.title} step={step} isNext={step === next} />
        ))}
      </ol>
      {!steps[0]?.isDone && <FirstProvider onAdded={onAdded} />}
    </Card>
  )
}

function Step({ step, isNext }: { step: SetupStep; isNext: boolean }) {
  const { title, hint, to, search, action, isDone } = step
  return (
    <li className="flex items-center gap-3 py-1.5">
      <span
        className={`flex size-5 shrink-0 items-center justify-center rounded-full border ${
          isDone ? 'border-accent bg-accent-soft text-accent' : 'border-edge'
        }`}
      >
        {isDone && <Check size={12} aria-hidden />}
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={`text-sm ${isDone ? 'text-muted' : 'font-medium'}`}>
          {title}
          {isDone && <span className="sr-only"> {t('(done)')}</span>}
        </span>
        {!isDone && <span className="text-xs text-muted">{hint}</span>}
      </span>
      {!isDone && (
        <Link
          to={to}
          search={search ?? {}}
          className={buttonClass(isNext ? 'primary' : 'plain', 'small')}
        >
          {action}
        </Link>
      )}
    </li>
  )
}
