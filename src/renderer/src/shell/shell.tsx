import { Outlet } from '@tanstack/react-router'
import { PopupLayer } from '../components/popup-layer.tsx'
import { useDocumentTheme } from '../components/theme.ts'
import { Alarms } from './alarms.tsx'
import { EndpointBanner } from './endpoint-banner.tsx'
import { Rail } from './rail.tsx'

/** The frame around every page. */
export function Shell() {
  useDocumentTheme()
  return (
    <div className="flex h-full">
      <Rail />
      <div className="flex min-w-0 flex-1 flex-col">
        <EndpointBanner />
        <div className="min-h-0 flex-1">
          <Outlet />
        </div>
      </div>
      <Alarms />
      <PopupLayer />
    </div>
  )
}
