import { useState } from 'react'
import type { ListedModel } from '../../../../shared/models/listed-model.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { PriceForm } from '../routers/price-form.tsx'

/** Where the user's own price is set and corrected. Nothing for a price that the catalogue knows. */
export function OwnPrice({ row: { model, isOwn } }: { row: ListedModel }) {
  const [isOpen, setIsOpen] = useState(false)
  const isUnpriced = model.inputUsdPerMtok === null
  if (!isOwn || !(isUnpriced || model.priceSource?.kind === 'user')) return null
  return (
    <>
      <Button
        size="small"
        className="ml-2"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isUnpriced ? t('Set price') : t('Edit price')}
      </Button>
      {isOpen && (
        <PriceForm model={model} label={t('Save price')} onSaved={() => setIsOpen(false)} />
      )}
    </>
  )
}
