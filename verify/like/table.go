package like

// The list "table" has all filters of this package. They are listed in this order.
var table = []*Filter{
	parquet, arrowCPP, arrowRS, arrowGo, parquetJava,
	bitsAndBlooms, holiman, blobloom, ristretto, bbloom,
	guava, guava32, libbloom, redisBloom,
	rocksdb, rocksdbLegacy, leveldb, cassandra, scyllaDB, hbase, postgreSQL, postgreSQLIndex,
	boost, fastbloom, bloomfilterRS, pybloomLive, rbloom, bloomFilters, bloomfilterJS,
	bip37, ethereum,
}
