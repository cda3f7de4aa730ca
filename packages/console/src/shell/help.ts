import { createStore } from '../api/store'

/** Whether the help is shown; help-dialog.tsx is loaded when it is wanted. */
export const helpIsOpen = createStore(false)
export const showHelp = (): void => helpIsOpen.set(true)
