import { useEffect } from 'preact/hooks'
import { request } from '../api/http'
import { useSession } from '../api/session'
import { densityStore, themeStore, zoneStore } from '../ui/preferences'

/** Takes over how this person wants the console to look, and keeps what they change, for their other browsers too. */
export function useOwnPreferences(): void {
  const { user, preferences } = useSession()
  useEffect(() => {
    if (preferences.density) densityStore.set(preferences.density)
    if (preferences.theme) themeStore.set(preferences.theme)
    if (preferences.zone) zoneStore.set(preferences.zone)
    // What cannot be kept there is kept in this browser nevertheless.
    const keep = () => void request('/desk/preferences', { method: 'PUT', body: present() }).catch(() => {})
    const stops = [densityStore, themeStore, zoneStore].map((store) => store.subscribe(keep))
    return () => {
      for (const stop of stops) stop()
    }
  }, [user.id])
}

const present = () => ({ density: densityStore.get(), theme: themeStore.get(), zone: zoneStore.get() })
