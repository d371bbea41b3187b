import { useNavigate } from '@tanstack/react-router'
import { MessageSquareText, Split } from 'lucide-react'
import { useState } from 'react'
import type { RequestRecord } from '../../../../shared/entities.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useAction } from '../../components/use-action.ts'
import { WhyButton } from '../../decision/why-button.tsx'
import { useApp } from '../../stores/app.ts'
import { openConversation } from '../../stores/chat.ts'
import { call } from '../../stores/client.ts'
import { useRequestTexts } from '../../stores/request-texts.ts'
import { curlOf } from './curl.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** What can be done with a request. */
export function InspectorActions({ record }: { record: RequestRecord }) {
  const [isReplaying, setIsReplaying] = useState(false)
  return (
    <div role="group" aria-label={t('Actions')} className="flex flex-wrap items-center gap-2">
      <WhyButton requestId={record.id} className={buttonClass('plain', 'small')} />
      {record.source === 'chat' && <OpenInChat requestId={record.id} />}
      <Button size="small" aria-haspopup="dialog" onClick={() => setIsReplaying(true)}>
        <Split size={13} aria-hidden /> {t('Replay on router…')}
      </Button>
      <CopyCurl record={record} />
      <CopyButton text={record.id} what={t('of the request')} label={t('Copy id')} size="small" />
      {isReplaying && <ReplayDialog request={record} onClose={() => setIsReplaying(false)} />}
    </div>
  )
}

function OpenInChat({ requestId }: { requestId: string }) {
  const navigate = useNavigate()
  const { run, isRunning, error } = useAction(async () => {
    const conversation = await call('requests:conversation', { id: requestId })
    if (conversation === null) throw new Error('Its conversation was deleted.')
    await openConversation(conversation.id)
    await navigate({ to: '/chat' })
  })
  return (
    <>
      <Button size="small" disabled={isRunning} onClick={() => run()}>
        <MessageSquareText size={13} aria-hidden /> {t('Open in chat')}
      </Button>
      {error && <span className="text-xs text-bad">{error.message}</span>}
    </>
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
      what={t('with $MODELPORT_API_KEY')}
      label={t('Copy as curl')}
      size="small"
    />
  )
}
