package fm

const Unit = 0x1p-53
