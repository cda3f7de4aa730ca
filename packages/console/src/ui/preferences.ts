import { createStore } from '../api/store'

export type Zone = 'utc' | 'local'
export type Theme = 'system' | 'light' | 'dark'
/** The height of a table's rows: one line each, or with room around them. */
type Density = 'compact' | 'comfortable'

/** A choice that this browser keeps; the first of `allowed` until the user makes another one. */
function kept<T extends string>(name: string, ...allowed: [T, ...T[]]) {
  const before = localStorage.getItem(`bursar.${name}`) as T | null
  const store = createStore<T>(before !== null && allowed.includes(before) ? before : allowed[0])
  store.subscribe(() => {
    localStorage.setItem(`bursar.${name}`, store.get())
    applyLook()
  })
  return store
}

/** The zone of shown times. */
export const zoneStore = kept<Zone>('zone', 'utc', 'local')
export const themeStore = kept<Theme>('theme', 'system', 'light', 'dark')
export const densityStore = kept<Density>('density', 'compact', 'comfortable')

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
