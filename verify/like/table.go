package like

// table has the filters in the order in which they are listed.
var table = []*Filter{
	parquet, arrowCPP, arrowRS, arrowGo, parquetJava,
	bip37, ethereum,
}
