import { createStore } from '../api/store'

export type Zone = 'utc' | 'local'
export type Theme = 'system' | 'light' | 'dark'
/** The height of a table's rows: one line each, or with room around them. */
type Density = 'compact' | 'comfortable'

const read = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T => {
  const kept = localStorage.getItem(`bursar.${name}`) as T | null
  return kept !== null && allowed.includes(kept) ? kept : otherwise
}

/** The zone of shown times: UTC unless the user chose otherwise in this browser. */
export const zoneStore = createStore<Zone>(read('zone', ['utc', 'local'], 'utc'))
export const themeStore = createStore<Theme>(read('theme', ['system', 'light', 'dark'], 'system'))
export const densityStore = createStore<Density>(read('density', ['compact', 'comfortable'], 'compact'))

zoneStore.subscribe(() => localStorage.setItem('bursar.zone', zoneStore.get()))
themeStore.subscribe(() => {
  localStorage.setItem('bursar.theme', themeStore.get())
  applyLook()
})
densityStore.subscribe(() => {
  localStorage.setItem('bursar.density', densityStore.get())
  applyLook()
})

export const toggleZone = (): void => zoneStore.set(zoneStore.get() === 'utc' ? 'local' : 'utc')
export const toggleDensity = (): void => densityStore.set(densityStore.get() === 'compact' ? 'comfortable' : 'compact')

/** Sets the page's colour scheme, which every light-dark() colour follows, and the height of its rows. */
export function applyLook(): void {
  const { dataset } = document.documentElement
  dataset.theme = themeStore.get()
  dataset.density = densityStore.get()
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = (): boolean => (themeStore.get() === 'system' ? systemIsDark.matches : themeStore.get() === 'dark')

/** Whether the page is dark now, by the user's choice or the system's, for canvases, which ignore style sheets. */
export const darkStore = createStore<boolean>(isDark())
themeStore.subscribe(() => darkStore.set(isDark()))
systemIsDark.addEventListener('change', () => darkStore.set(isDark()))
