import { createStore } from '../api/store'

/** Whether the help is shown; help-dialog.tsx is loaded on demand. */
export const helpIsOpen = createStore(false)
export const showHelp = (): void => helpIsOpen.set(true)
