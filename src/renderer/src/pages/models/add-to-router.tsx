import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import type { ListedModel } from '../../../../shared/models/listed-model.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { useUsualRouter } from '../../stores/last-answer.ts'
import { useRouters } from '../../stores/routers.ts'
import { addModel } from '../routers/router-drafts.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The routers that use a model, and a way into the others. */
export function AddToRouter({ row: { model, isOwn } }: { row: ListedModel }) {
  const routers = useRouters((state) => state.items) ?? []
  const using = routers.filter(({ models }) => models.includes(model.id))
  const others = routers.filter((router) => !using.includes(router))
  return (
    <section aria-label={t('Routers')} className="flex flex-col gap-2 text-sm">
      {using.length > 0 && (
        <p>
          <span className="text-muted">{t('Used by')} </span>
          {using.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link
                to="/routers/$routerId"
                params={{ routerId: id }}
                className="text-accent underline underline-offset-3"
              >
                {name}
              </Link>
            </span>
          ))}
        </p>
      )}
      {isOwn && model.inputUsdPerMtok === null && (
        <p className="text-warn">{t('Routers cannot use it until it has a price.')}</p>
      )}
      {isOwn && model.inputUsdPerMtok !== null && others.length > 0 && (
        <Adding key={model.id} modelId={model.id} routers={others} />
      )}
    </section>
  )
}

function Adding({ modelId, routers }: { modelId: string; routers: readonly Router[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const usual = useUsualRouter(routers)
  const router = routers.find(({ id }) => id === chosen) ?? usual
  const { run, isRunning, error } = useAction(async () => {
    if (router) await addModel(router, modelId)
  })
  return (
    <>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Select
            label={t('Add to a router')}
            choices={routers.map(({ id, name }) => ({ value: id, label: name }))}
            value={router?.id ?? null}
            onChange={setChosen}
          />
        </div>
        <Button look="primary" disabled={isRunning} onClick={() => run()}>
          {t('Add')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </>
  )
}
