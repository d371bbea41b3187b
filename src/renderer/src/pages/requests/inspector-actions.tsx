import type { RequestRecord } from '../../../../shared/entities.ts'
import type { ExplainedDetail } from '../../../../shared/request-detail.ts'
import { buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { WhyButton } from '../../decision/why-button.tsx'
import { useApp } from '../../stores/app.ts'
import { useRequestTexts } from '../../stores/request-texts.ts'
import { curlOf } from './curl.ts'

interface InspectorActionsProps {
  record: RequestRecord
  detail: ExplainedDetail | null
}

/** What can be done with a request. */
export function InspectorActions({ record }: InspectorActionsProps) {
  return (
    <div role="group" aria-label="Actions" className="flex flex-wrap items-center gap-2">
      <WhyButton requestId={record.id} className={buttonClass('plain', 'small')} />
      <CopyCurl record={record} />
      <CopyButton text={record.id} what="of the request" label="Copy id" size="small" />
    </div>
  )
}

/** The request as a command. Its key is `$MODELPORT_API_KEY`; its texts are there if they are stored. */
function CopyCurl({ record }: { record: RequestRecord }) {
  const endpoint = useApp(({ state }) => state?.endpoint)
  const { id, content } = useRequestTexts()
  if (endpoint?.status !== 'listening') return null
  const body = id === record.id && content && !content.isRequestCut ? content.request : null
  return (
    <CopyButton
      text={curlOf({ ...endpoint, routerId: record.routerId, body })}
      what="with $MODELPORT_API_KEY"
      label="Copy as curl"
      size="small"
    />
  )
}
