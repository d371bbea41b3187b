import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorNote } from '../../components/error-note.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { loadRequestTexts, useRequestTexts } from '../../stores/request-texts.ts'
import { useRouters } from '../../stores/routers.ts'
import { Section } from './section.tsx'
import { rich } from '../../components/rich.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The request and its answer as they are stored, or how to store them. */
export function RequestTexts({ requestId, routerId }: { requestId: string; routerId: string }) {
  const { id, content, error } = useRequestTexts()
  useEffect(() => {
    void loadRequestTexts(requestId)
  }, [requestId])
  if (id !== requestId) return null
  if (error) {
    return <ErrorNote error={error} onRetry={() => void loadRequestTexts(requestId)} />
  }
  if (content === null) return <NotStored routerId={routerId} />
  const { request, answer, isRequestCut, isAnswerCut } = content
  return (
    <Section title={t('Request and answer')}>
      <Text what={t('request')} text={request} isCut={isRequestCut} />
      {answer !== null && <Text what={t('answer')} text={answer} isCut={isAnswerCut} />}
    </Section>
  )
}

function Text({ what, text, isCut }: { what: string; text: string; isCut: boolean }) {
  return (
    <>
      <Snippet code={indented(text)} what={what} />
      {isCut && <p className="text-xs text-muted">{t('Only the beginning is stored.')}</p>}
    </>
  )
}

/** A text that was cut is not JSON any more, and stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function NotStored({ routerId }: { routerId: string }) {
  const router = useRouters((state) => state.items)?.find(({ id }) => id === routerId)
  return (
    <Section title={t('Request and answer')}>
      <p className="text-xs text-muted">
        {t('Not stored.')}{' '}
        {router && (
          <>
            {rich(
              'To keep the texts of future requests, turn on “Content logging” in {routerLink}.',
              {
                routerLink: (
                  <Link
                    to="/routers/$routerId"
                    params={{ routerId }}
                    className="text-accent underline underline-offset-2"
                  >
                    {router.name}
                  </Link>
                ),
              },
            )}
          </>
        )}
      </p>
    </Section>
  )
}
