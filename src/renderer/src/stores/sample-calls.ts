import { useEffect, useState } from 'react'
import type { SampleCalls } from '../../../shared/app/connect.ts'
import { call, toCallError, type CallError } from './client.ts'

interface SampleCallsState {
  samples: SampleCalls | null
  error: CallError | null
}

const loading: SampleCallsState = { samples: null, error: null }

/** The sample calls of a router, loaded again when the router or the endpoint's address changes. */
export function useSampleCalls(routerId: string, url: string): SampleCallsState {
  const wanted = `${routerId} ${url}`
  const [loaded, setLoaded] = useState({ ...loading, of: wanted })
  useEffect(() => {
    let isCurrent = true
    const show = (state: Partial<SampleCallsState>) => {
      if (isCurrent) setLoaded({ ...loading, ...state, of: wanted })
    }
    call('connect:samples', { routerId }).then(
      (samples) => show({ samples }),
      (error: unknown) => show({ error: toCallError(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [routerId, wanted])
  return loaded.of === wanted ? loaded : loading
}
