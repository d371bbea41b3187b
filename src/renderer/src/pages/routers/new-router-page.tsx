import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { Card, Page } from '../../components/page.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { useModels } from '../../stores/models.ts'
import { createRouter } from '../../stores/routers.ts'
import { useAddressSearch } from '../../usage/search.ts'
import { ModelPicker } from './model-picker.tsx'
import { newRouterDraft, routerDrafts, useRouterDrafts } from './router-drafts.ts'
import { BackToRouters } from './router-page.tsx'
import { startOfNewRouter } from './router-presets.ts'
import { readRouterTexts, toRouterTexts, type RouterTexts } from './router-texts.ts'
import { strategyChoices } from './strategies.ts'
import { DailyLimitField } from './daily-limit-field.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Fields whose errors are shown beside them. */
const shownFields = ['name', 'strategy', 'models', 'tier', 'dailyLimit']

/** The form for a new router. The address can name a preset and models: `?preset=cheapest&models=a:x,b:y`. */
export function NewRouterPage() {
  const navigate = useNavigate()
  const { preset, models } = useAddressSearch()
  const available = useModels((state) => state.items)
  const start = useMemo(
    () => startOfNewRouter({ preset, models }, available ?? []),
    [preset, models, available],
  )
  const draftId = newRouterDraft({ preset, models })
  const texts = useRouterDrafts((drafts) => drafts[draftId]) ?? toRouterTexts(start)
  const { run, isRunning, error } = useAction(async () => {
    const { id } = await createRouter(readRouterTexts(texts))
    routerDrafts.discard(draftId)
    await navigate({ to: '/routers/$routerId', params: { routerId: id }, search: { tab: 'use' } })
  })
  const change = (changed: Partial<RouterTexts>) =>
    routerDrafts.keep(draftId, { ...texts, ...changed })
  return (
    <Page title={t('New router')} actions={<BackToRouters />}>
      <Card className="p-5">
        <Form aria-label={t('Router')} className="flex flex-col gap-6" onSubmit={() => run()}>
          <TextField
            label={t('Name')}
            value={texts.name}
            placeholder={t('Cheapest for the web shop')}
            error={errorOf(error, 'name')}
            onChange={({ target }) => change({ name: target.value })}
          />
          <RadioCards
            label={t('Strategy')}
            isWide
            choices={strategyChoices}
            value={texts.strategy}
            error={errorOf(error, 'strategy')}
            onChange={(strategy) => change({ strategy })}
          />
          <ModelPicker
            strategy={texts.strategy}
            chosen={texts.models}
            error={errorOf(error, 'models')}
            onChange={(chosen) => change({ models: [...chosen] })}
          />
          <DailyLimitField {...{ texts, error, change }} />
          {error && errorBeside(error, shownFields) && <ErrorNote error={error} />}
          <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center gap-3 rounded-b-xl border-t border-line bg-surface px-5 py-3">
            <Button look="primary" type="submit" disabled={isRunning}>
              {t('Create router')}
            </Button>
            <p className="text-xs text-muted">
              {t('Further limits, reliability and privacy can be set afterwards.')}
            </p>
          </div>
        </Form>
      </Card>
    </Page>
  )
}
