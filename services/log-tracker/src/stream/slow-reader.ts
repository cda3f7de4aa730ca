/** The most that a reader may leave untaken; one that falls further behind is dropped and frees its memory. */
export const mostBufferedBytes = 1024 * 1024

export const tooSlow = 'This reader is too slow: messages were dropped'
