import { useEffect, useRef, type ComponentType } from 'react'
import { routerParts, type RouterPart } from '../../../../shared/routers/router-fields.ts'
import { useAddressSearch } from '../../usage/search.ts'
import { LimitsPart } from './limits-part.tsx'
import { ModelsPart } from './models-part.tsx'
import { PrivacyPart } from './privacy-part.tsx'
import { ReliabilityPart } from './reliability-part.tsx'
import { tabOfPart, type RouterTab } from './router-tabs.tsx'
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

/** The parts of a router's settings in one tab, and beside them their effect. */
export function RouterPartForms({ tab, editor }: { tab: RouterTab; editor: RouterEditor }) {
  const parts = routerParts.filter((part) => tabOfPart[part] === tab)
  const list = useRef<HTMLDivElement>(null)
  const { tab: named } = useAddressSearch()
  useEffect(() => {
    // An address with the name of a part shows it.
    const index = parts.findIndex((part) => part === named)
    if (index > 0) list.current?.children[index]?.scrollIntoView()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the address changes
  }, [named])
  if (parts.length === 0) return null
  return (
    <div className="grid grid-cols-1 items-start gap-5 min-[64rem]:grid-cols-[minmax(0,1fr)_22rem]">
      <div ref={list} className="flex min-w-0 flex-col gap-5">
        {parts.map((part) => {
          const Fields = partForms[part]
          return <Fields key={part} {...editor} />
        })}
      </div>
      <div className="min-[64rem]:sticky min-[64rem]:top-0">
        <WhatIfPanel editor={editor} />
      </div>
    </div>
  )
}
