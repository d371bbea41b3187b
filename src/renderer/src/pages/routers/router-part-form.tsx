import type { ComponentType } from 'react'
import type { RouterPart } from '../../../../shared/routers/router-fields.ts'
import { LimitsPart } from './limits-part.tsx'
import { ModelsPart } from './models-part.tsx'
import { PrivacyPart } from './privacy-part.tsx'
import { ReliabilityPart } from './reliability-part.tsx'
import { StrategyPart } from './strategy-part.tsx'
import type { RouterEditor } from './use-router-editor.ts'
import { WhatIfPanel } from './what-if-panel.tsx'

const partForms: Record<RouterPart, ComponentType<RouterEditor>> = {
  models: ModelsPart,
  strategy: StrategyPart,
  limits: LimitsPart,
  reliability: ReliabilityPart,
  privacy: PrivacyPart,
}

/** One part of a router's settings; beside those that decide which model answers, their effect. */
export function RouterPartForm({ part, editor }: { part: RouterPart; editor: RouterEditor }) {
  const Fields = partForms[part]
  return (
    <div className="grid grid-cols-1 items-start gap-5 min-[64rem]:grid-cols-[minmax(0,1fr)_22rem]">
      <Fields {...editor} />
      {part !== 'reliability' && (
        <div className="min-[64rem]:sticky min-[64rem]:top-0">
          <WhatIfPanel editor={editor} />
        </div>
      )}
    </div>
  )
}
